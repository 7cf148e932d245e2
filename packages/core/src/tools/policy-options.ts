import { kindOf } from '../errors/describe-thrown.js';
import { shownName } from '../names/check-name.js';
import { suggestName, unknownOption } from '../schema/nearest-names.js';
import { ToolConfigInvalidError } from './errors.js';
import type { ToolTraits } from './tool.js';

/** What the results of a cached tool are shared by. */
export type CacheScope = 'invocation' | 'session' | 'user' | 'app';

/** The options of `cache`. */
export interface CacheOptions {
  /**
   * Which calls share a result: those of one run (`invocation`), of one `session`, of one `user`, or of the whole `app`.
   * Default: `session`. Calls with a credential never share results between users.
   */
  readonly scope?: CacheScope;
  /** How long a result is used, in milliseconds; `Infinity` until the runner closes. Default: 300,000. */
  readonly ttlMs?: number;
  /** How many results are kept, the most recently used ones. Default: 1,000. They take at most 16 MiB of JSON. */
  readonly maxEntries?: number;
}

/** The options of `retry`. */
export interface RetryOptions {
  /** How often the tool is tried, the first attempt included; at least 2. */
  readonly attempts: number;
  /** Milliseconds before the second attempt, doubled for each further one. A random half of it is cut. Default: 500. */
  readonly delayMs?: number;
  /** The longest delay in milliseconds. Default: 30,000. */
  readonly maxDelayMs?: number;
  /** True to retry a tool that is neither `effect: 'read'` nor `idempotent`: its effect may happen twice. Default: false. */
  readonly unsafe?: boolean;
}

/** What the calls of a limited tool are counted by. */
export type LimitScope = 'user' | 'app';

/** The options of `rateLimit`. */
export interface RateLimit {
  /** How many calls may start within `perMs`; at least 1. */
  readonly calls: number;
  /** The length of the window in milliseconds. */
  readonly perMs: number;
  /** Whether the calls of each `user` are counted apart, or all calls of the `app` together. Default: `app`. */
  readonly scope?: LimitScope;
  /**
   * Milliseconds that a call waits for its turn. A call that would wait longer fails at once, and the model reads when
   * to try again. Default: 0.
   */
  readonly maxWaitMs?: number;
}

/** The options of `concurrency`. */
export interface ConcurrencyOptions {
  /** How many calls may run at a time; at least 1. Others wait in the order in which they came. */
  readonly calls: number;
  /** Whether the calls of each `user` are counted apart, or all calls of the `app` together. Default: `app`. */
  readonly scope?: LimitScope;
  /** How many calls may wait; one more fails at once. Default: 1,000. */
  readonly maxQueue?: number;
}

/** True if a tool has policies beside its time limit. */
export function declaresPolicies({ cache, retry, rateLimit, concurrency }: ToolTraits): boolean {
  return cache !== undefined || retry !== undefined || rateLimit !== undefined || concurrency !== undefined;
}

/**
 * Refuses options of policies that do not exist, have invalid values, or contradict other options of the tool.
 *
 * @param name the tool's name, if known
 * @throws {ToolConfigInvalidError}
 */
export function checkPolicyOptions(traits: ToolTraits, name: string | undefined): void {
  const { cache, retry, rateLimit, concurrency, idempotent } = traits;
  const refuse: Refuse = (fault, cure) => {
    throw new ToolConfigInvalidError(name, fault, cure);
  };
  if (idempotent !== undefined) checkValue('idempotent', idempotent, DECISION, refuse);
  if (cache !== undefined) checkCache(traits, refuse);
  if (retry !== undefined) checkRetry(traits, refuse);
  if (rateLimit !== undefined) checkFields('rateLimit', rateLimit, RATE_LIMIT, refuse);
  if (concurrency !== undefined && typeof concurrency !== 'number')
    checkFields('concurrency', concurrency, CONCURRENCY, refuse);
  else if (concurrency !== undefined) checkValue('concurrency', concurrency, COUNT, refuse);
}

type Refuse = (fault: string, cure: string) => never;

function checkCache({ cache, effect, longRunning, auth }: ToolTraits, refuse: Refuse): void {
  if (cache === false) return;
  if (cache !== true) checkFields('cache', cache, CACHE, refuse);
  if (effect === 'write' || effect === 'destructive')
    refuse(
      `cache is set, but the effect is "${effect}": an equal call would be answered without having the effect`,
      'Remove cache, or the effect if the tool only reads.',
    );
  if (longRunning !== undefined && longRunning !== false)
    refuse(
      'cache is set, but the tool is longRunning: its result is a handle of one call',
      'Remove one of them.',
    );
  if (auth !== undefined && typeof cache === 'object' && cache.scope === 'app')
    refuse(
      'cache.scope is "app", but the tool needs a credential, and results of one user must not reach another',
      'Pass the scope "user", "session" or "invocation".',
    );
}

function checkRetry({ retry, effect, idempotent }: ToolTraits, refuse: Refuse): void {
  if (typeof retry === 'number') checkValue('retry', retry, ATTEMPTS, refuse);
  else checkFields('retry', retry, RETRY, refuse);
  if (effect === 'read' || canRepeat(idempotent) || (typeof retry === 'object' && retry.unsafe === true))
    return;
  refuse(
    'retry is set, but an attempt that failed may have had its effect, and a second one would repeat it',
    "Set effect: 'read' or idempotent: true if repeating is safe, or retry: { attempts, unsafe: true } if it may happen twice.",
  );
}

function canRepeat(idempotent: ToolTraits['idempotent']): boolean {
  return idempotent === true || typeof idempotent === 'function';
}

/** The values that an option takes. */
interface Rule {
  readonly isValid: (value: unknown) => boolean;
  readonly cure: (value: unknown) => string;
  readonly isRequired?: boolean;
}

type Rules<Options> = Readonly<Record<keyof Options & string, Rule>>;

function rule(isValid: Rule['isValid'], cure: string): Rule {
  return { isValid, cure: () => cure };
}

function required(one: Rule): Rule {
  return { ...one, isRequired: true };
}

function wholeFrom(least: number): Rule {
  return rule(
    (value) => Number.isSafeInteger(value) && (value as number) >= least,
    `Pass a whole number of at least ${String(least)}.`,
  );
}

function oneOf(...choices: readonly string[]): Rule {
  const valid: ReadonlySet<unknown> = new Set(choices);
  return { isValid: (value) => valid.has(value), cure: (value) => suggestName(value, new Set(choices)) };
}

/** The longest that a timer of Node can wait. */
const LONGEST_MS = 2 ** 31 - 1;

const DECISION = rule(
  (value) => typeof value === 'boolean' || typeof value === 'function',
  'Pass true, false, or a function of the arguments.',
);
const BOOLEAN = rule((value) => typeof value === 'boolean', 'Pass true or false.');
const COUNT = wholeFrom(1);
const ATTEMPTS = wholeFrom(2);
const DELAY = rule(
  (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_MS,
  `Pass milliseconds from 0 to ${String(LONGEST_MS)}.`,
);
const PERIOD = rule(
  (value) => typeof value === 'number' && value > 0 && value < Infinity,
  'Pass milliseconds above 0.',
);
const LIFETIME = rule(
  (value) => typeof value === 'number' && value > 0,
  'Pass milliseconds above 0, or Infinity.',
);

const CACHE: Rules<CacheOptions> = {
  scope: oneOf('invocation', 'session', 'user', 'app'),
  ttlMs: LIFETIME,
  maxEntries: COUNT,
};
const RETRY: Rules<RetryOptions> = {
  attempts: required(ATTEMPTS),
  delayMs: DELAY,
  maxDelayMs: DELAY,
  unsafe: BOOLEAN,
};
const RATE_LIMIT: Rules<RateLimit> = {
  calls: required(COUNT),
  perMs: required(PERIOD),
  scope: oneOf('user', 'app'),
  maxWaitMs: DELAY,
};
const CONCURRENCY: Rules<ConcurrencyOptions> = {
  calls: required(COUNT),
  scope: oneOf('user', 'app'),
  maxQueue: wholeFrom(0),
};

/** The forms of each policy's option, for an error message. */
const FORMS = {
  cache: 'Pass true, false or an object such as { ttlMs: 60_000 }.',
  retry: 'Pass a number of attempts or an object such as { attempts: 3 }.',
  rateLimit: 'Pass an object such as { calls: 10, perMs: 60_000 }.',
  concurrency: 'Pass a number of calls or an object such as { calls: 2 }.',
} as const;

function checkFields(
  policy: keyof typeof FORMS,
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
  refuse: Refuse,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return refuse(`${policy} is ${shown(options)}`, FORMS[policy]);
  const unknown = unknownOption(options, new Set(Object.keys(rules)));
  if (unknown !== undefined) refuse(`in ${policy}, ${unknown.fault}`, unknown.cure);
  for (const [option, one] of Object.entries(rules)) {
    const value = (options as Record<string, unknown>)[option];
    if (value !== undefined || one.isRequired === true) checkValue(`${policy}.${option}`, value, one, refuse);
  }
}

function checkValue(option: string, value: unknown, { isValid, cure }: Rule, refuse: Refuse): void {
  if (!isValid(value)) refuse(`${option} is ${shown(value)}`, cure(value));
}

/** An invalid value of an option, for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${shownName(value)}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}
