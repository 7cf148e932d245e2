import { kindOf } from '../errors/describe-thrown.js';
import { shownName } from '../names/check-name.js';
import { isObject } from '../reader/schema-parts.js';
import { type OptionFault, suggestName, unknownOption } from './nearest-names.js';

/** The values that an option takes. */
export interface Rule {
  /** True for a value that the option takes. */
  readonly isValid: (value: unknown) => boolean;
  /** What to pass in place of an invalid value, as a sentence. */
  readonly cure: (value: unknown) => string;
  /** True if the option may not be left out. Default: false. */
  readonly isRequired?: boolean;
  /** True for an option that may hold a secret: its value is not shown. Default: false. */
  readonly isSecret?: boolean;
  /** The fault within a value that has options of its own. */
  readonly faultOf?: (value: unknown) => OptionFault | undefined;
}

/** A rule with one cure for all values. */
export function rule(isValid: Rule['isValid'], cure: string): Rule {
  return { isValid, cure: () => cure };
}

/** A rule for one of these texts. The cure names the one that was probably meant. */
export function oneOf(...choices: readonly string[]): Rule {
  const valid: ReadonlySet<unknown> = new Set(choices);
  return { isValid: (value) => valid.has(value), cure: (value) => suggestName(value, new Set(choices)) };
}

/** The rule of an option that is true or false. */
export const BOOLEAN = rule((value) => typeof value === 'boolean', 'Pass true or false.');

/** Any value: the option's own reader checks it. */
export const ANY = rule(() => true, '');

/** A comparison with NaN is never true: it would be no limit. */
export const LIMIT = rule(
  (value) => typeof value === 'number' && value >= 0,
  'Pass a number of at least 0, or Infinity for no limit.',
);
/** The rule of an option that is a number above 0, or Infinity. */
export const POSITIVE = rule((value) => typeof value === 'number' && value > 0, 'Pass a number above 0.');
/** The rule of an option that is a whole number. */
export function wholeFrom(least: number): Rule {
  return rule(
    (value) => Number.isSafeInteger(value) && (value as number) >= least,
    `Pass a whole number of at least ${String(least)}.`,
  );
}
/** The rule of an option that is a text. */
export const TEXT = rule((value) => typeof value === 'string', 'Pass a text.');
/** The rule of an option that is a function. */
export const FUNCTION = rule((value) => typeof value === 'function', 'Pass a function.');
/** The rule of an option that is a list. */
export const LIST = rule((value) => Array.isArray(value), 'Pass a list.');
/** The rule of an option that is a list of texts. */
export const TEXTS = rule(
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'Pass a list of texts.',
);
/** The rule of an option that is an object. */
export const OBJECT = rule((value) => isObject(value), 'Pass an object.');
/** The first option whose value is invalid. An option that is undefined counts as left out. */
export function invalidOption(
  options: object,
  rules: Readonly<Record<string, Rule>>,
): OptionFault | undefined {
  for (const [option, { isValid, cure, faultOf, isSecret }] of Object.entries(rules)) {
    const value = (options as Record<string, unknown>)[option];
    if (value === undefined || isValid(value)) continue;
    const inner = isObject(value) ? faultOf?.(value) : undefined;
    if (inner !== undefined) return { ...inner, fault: `in ${option}, ${inner.fault}` };
    return { fault: `${option} is ${isSecret === true ? kindOf(value) : shown(value)}`, cure: cure(value) };
  }
  return undefined;
}

/** A rule for each option of a type, every one of them. */
export type OptionRules<Options = Record<string, unknown>> = {
  readonly [Name in keyof Options & string]-?: Rule;
};

/** A rule whose option may not be left out. */
export function required(of: Rule): Rule {
  return { ...of, isRequired: true };
}

/**
 * A rule for true, false, or an object with options of its own.
 *
 * @param cure what to pass in place of anything else
 */
export function booleanOr(rules: Readonly<Record<string, Rule>>, cure: string): Rule {
  const inner = optionsOf(rules);
  return {
    isValid: (value) => typeof value === 'boolean' || inner.isValid(value),
    cure: (value) => (isObject(value) ? inner.cure(value) : cure),
    faultOf: inner.faultOf,
  };
}

/** A rule whose option may hold a secret. */
export function secret(of: Rule): Rule {
  return { ...of, isSecret: true };
}

/** A rule for an object with options of its own. */
export function optionsOf(rules: Readonly<Record<string, Rule>>): Rule {
  return {
    isValid: (value) => optionFault(value, rules) === undefined,
    cure: (value) => {
      const found = optionFault(value, rules);
      return found === undefined ? '' : found.cure;
    },
    faultOf: (value) => optionFault(value, rules),
  };
}

/**
 * The first fault of an options object by the rules of its options: no object, an option that does not exist, one with an
 * invalid value, or one that is missing. An option that is undefined counts as left out.
 *
 * @param unknown the options that are set to something that is not known: their values are not checked. Default: all are known
 */
export function optionFault(
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
  unknown: ReadonlySet<string> = NONE,
): OptionFault | undefined {
  const names = new Set(Object.keys(rules));
  if (!isObject(options))
    return {
      fault: `its options are ${shown(options)}`,
      cure: `Pass an object with options. Valid: ${[...names].join(', ')}.`,
    };
  return (
    unknownOption(options, names) ??
    invalidOption(withoutOptions(options, unknown), rules) ??
    missingOption(options, rules)
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The options whose names are not among these. */
export function withoutOptions(options: object, names: ReadonlySet<string>): object {
  if (names.size === 0) return options;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.has(name)));
}

function missingOption(options: object, rules: Readonly<Record<string, Rule>>): OptionFault | undefined {
  for (const [option, { isRequired, cure }] of Object.entries(rules))
    if (isRequired === true && (options as Record<string, unknown>)[option] === undefined)
      return { fault: `${option} is missing`, cure: cure(undefined) };
  return undefined;
}

/** An invalid value of an option, for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${shownName(value)}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}
