import { createContext, Script } from 'node:vm';

/** How long a text may be matched against a pattern, in milliseconds. */
const TIME_LIMIT = 100;

/** How long all texts of one validation may be matched in sum. */
const SUM_LIMIT = 500;

/** A simple pattern takes no more than the square of this in steps. */
const LONGEST_UNGUARDED = 1_000;

/** Repeats without a bound: one is harmless, several may try their texts in every combination. */
const REPEATS = /[*+]|\{\d+,\}/g;

/** The remaining time of the current validation; undefined outside of one. */
let timeLeft: number | undefined;

/** Matching the texts of a value against the patterns of its schema takes too long. */
export class PatternTimeout extends Error {}

/**
 * Runs one validation, which is synchronous, with a limit of the time for all its patterns together. A text that
 * could not be matched to its end fits nothing and breaks nothing: the validation ends.
 *
 * @throws {PatternTimeout}
 */
export function withPatternTime<Result>(validate: () => Result): Result {
  if (timeLeft !== undefined) return validate();
  timeLeft = SUM_LIMIT;
  try {
    return validate();
  } finally {
    timeLeft = undefined;
  }
}

/** The context for matches that may have to be stopped, created at first use. */
let guard: { readonly place: Record<string, unknown>; readonly matching: Script } | undefined;

/** The interface of a pattern for Ajv, which caches patterns by text. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * A pattern of a schema, which somebody else may have written. Where matching could take for ever it is stopped
 * after 100 milliseconds: the text is taken not to match, and a validation that is going on ends.
 */
export function guardedPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  const isSimple = !source.includes('(') && (source.match(REPEATS) ?? []).length <= 1;
  const isHarmless = (text: string) => isSimple && text.length <= LONGEST_UNGUARDED;
  return {
    test: (text) => (isHarmless(text) ? pattern.test(text) : matchInTime(pattern, text)),
    toString: () => String(pattern),
  };
}

/** How Ajv would write it into code of its own, which is never done here. */
guardedPattern.code = 'new RegExp';

function matchInTime(pattern: RegExp, text: string): boolean {
  guard ??= {
    place: createContext({}),
    matching: new Script('pattern.test(text)'),
  };
  const { place, matching } = guard;
  if (timeLeft !== undefined && timeLeft <= 0) throw new PatternTimeout();
  const timeout = Math.max(1, Math.ceil(Math.min(TIME_LIMIT, timeLeft ?? TIME_LIMIT)));
  const begin = performance.now();
  Object.assign(place, { pattern, text });
  try {
    return matching.runInContext(place, { timeout }) === true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    if (timeLeft !== undefined) throw new PatternTimeout();
    return false;
  } finally {
    Object.assign(place, { pattern: undefined, text: undefined });
    if (timeLeft !== undefined) timeLeft -= performance.now() - begin;
  }
}
