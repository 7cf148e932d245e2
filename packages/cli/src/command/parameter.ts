import { UsageError } from '../usage.error.js';

/** An argument or an option of a command, and how its text is read. */
export interface Parameter<Value = unknown> {
  /** What stands for the value in help, such as `<id>`; `<id...>` takes several. Absent for a flag. */
  readonly placeholder?: string;
  readonly description: string;
  /** The value if nothing is given. Default: undefined, or false for a flag. */
  readonly fallback?: Value;
  /** A letter, such as `p` for `-p`. */
  readonly short?: string;
  readonly isRequired?: boolean;
  /** True for a flag that turns something off: `install` is then written `--no-install`. */
  readonly isNegated?: boolean;
  /** True for an option that may be repeated. */
  readonly isList?: boolean;
  readonly choices?: readonly string[];
  /** The names of options that cannot be given beside it. */
  readonly conflicts?: readonly string[];
  /** What a shell completes. Default: `choices`, or nothing. */
  readonly completes?: 'files';
  /**
   * Reads the text of a value. Default: the text itself.
   *
   * @throws {UnreadableError} with what to pass instead
   */
  readonly read?: (text: string) => unknown;
}

/** The text of a value cannot be read. The message says what to pass instead. */
export class UnreadableError extends Error {}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of parameters by their names. */
export type ValuesOf<Declared extends Parameters> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

type Extras = Omit<Parameter, 'placeholder' | 'description' | 'fallback' | 'read' | 'choices' | 'isRequired'>;

/** A text, such as an id or a path. */
export function text(
  placeholder: string,
  description: string,
  extras: Extras & { readonly fallback: string },
): Parameter<string>;
export function text(
  placeholder: string,
  description: string,
  extras?: Extras,
): Parameter<string | undefined>;
export function text(placeholder: string, description: string, extras: Extras = {}): Parameter<never> {
  return { placeholder, description, ...extras };
}

/** A text without which the command does not run. */
export function required(placeholder: string, description: string, extras: Extras = {}): Parameter<string> {
  return { placeholder, description, isRequired: true, ...extras };
}

/** Texts, in their order; none by default. `<id...>` takes several at a time. */
export function texts(
  placeholder: string,
  description: string,
  extras: Extras & Pick<Parameter<readonly string[]>, 'choices' | 'fallback' | 'isRequired'> = {},
): Parameter<readonly string[]> {
  return { placeholder, description, isList: true, fallback: [], ...extras };
}

/** A flag, such as `--watch`. */
export function flag(description: string, extras: Extras = {}): Parameter<boolean> {
  return { description, fallback: false, ...extras };
}

/** A flag that turns something off, such as `--no-install`: the value is true without it. */
export function flagOff(description: string): Parameter<boolean> {
  return { description, fallback: true, isNegated: true };
}

/** One of several words. */
export function choice<const Word extends string>(
  placeholder: string,
  description: string,
  choices: readonly Word[],
  extras: Extras & { readonly fallback: NoInfer<Word> },
): Parameter<Word>;
export function choice<const Word extends string>(
  placeholder: string,
  description: string,
  choices: readonly Word[],
  extras?: Extras,
): Parameter<Word | undefined>;
export function choice(
  placeholder: string,
  description: string,
  choices: readonly string[],
  extras: Extras = {},
): Parameter<never> {
  return { placeholder, description, choices, ...extras };
}

interface Limits {
  /** Default: 1. */
  readonly least?: number;
  /** Default: 1,000,000. */
  readonly most?: number;
}

/** A whole number. */
export function count(
  placeholder: string,
  description: string,
  extras: Extras & Limits & { readonly fallback: number },
): Parameter<number>;
export function count(
  placeholder: string,
  description: string,
  extras?: Extras & Limits,
): Parameter<number | undefined>;
export function count(
  placeholder: string,
  description: string,
  { least = 1, most = 1_000_000, ...extras }: Extras & Limits = {},
): Parameter<never> {
  const read = (given: string): number => {
    const number = Number(given);
    if (/^\d+$/.test(given) && number >= least && number <= most) return number;
    throw new UnreadableError(`Pass a whole number from ${String(least)} to ${String(most)}.`);
  };
  return { placeholder, description, ...extras, read };
}

/** A share from 0 to 1. */
export function share(
  placeholder: string,
  description: string,
  extras: Extras & { readonly fallback: number },
): Parameter<number> {
  const read = (given: string): number => {
    const number = Number(given);
    if (given.trim() !== '' && number >= 0 && number <= 1) return number;
    throw new UnreadableError('Pass a number from 0 to 1.');
  };
  return { placeholder, description, ...extras, read };
}

/** A point in time. */
export function time(placeholder: string, description: string): Parameter<Date | undefined> {
  const read = (given: string): Date => {
    const date = new Date(given);
    if (!Number.isNaN(date.getTime())) return date;
    throw new UnreadableError('Pass a time such as 2026-11-29 or 2026-11-29T08:00Z.');
  };
  return { placeholder, description, read };
}

/**
 * The value of a text that was given for a parameter.
 *
 * @param shown how the parameter is written, such as `--limit`
 * @throws {UsageError}
 */
export function valueOf({ choices, read }: Parameter, given: string, shown: string): unknown {
  if (choices && !choices.includes(given))
    throw new UsageError(`${shown} is "${given}". Choices: ${choices.join(', ')}.`);
  try {
    return read ? read(given) : given;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new UsageError(`${shown} is "${given}". ${error.message}`);
  }
}
