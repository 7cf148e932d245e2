import { LONGEST_TIMER } from '../runtime/clock.js';
import {
  unknownOption,
  BOOLEAN,
  FUNCTION,
  invalidOption,
  isObject,
  oneOf,
  optionFault,
  optionsOf,
  type OptionRules,
  required,
  type Rule,
  rule,
  shown,
  wholeFrom,
} from '@adorn/schema';
import { ToolConfigInvalidError } from './errors.js';
import { TOOL_OPTION_NAMES, TOOL_OPTIONS } from './tool-options.js';
import type {
  BackgroundOptions,
  CacheOptions,
  ConcurrencyOptions,
  OnceOptions,
  RateLimit,
  ResponseFormat,
  RetryOptions,
  ToolTraits,
} from './tool-traits.js';

/**
 * Refuses options that are no object.
 *
 * @param name of the tool, or of the function or method that becomes one
 * @throws {ToolConfigInvalidError}
 */
export function checkIsOptions(options: unknown, name?: string): void {
  if (isObject(options)) return;
  throw new ToolConfigInvalidError(
    name,
    `its options are ${shown(options)}`,
    'Pass an object, such as { confirm: true }.',
  );
}

/**
 * Refuses options that do not exist or have a value of another type, limits that are negative or not numbers, unknown choices, and invalid
 * policies: `timeout: NaN` would never end a call, and a misspelt `destructive` would not ask for confirmation.
 *
 * @param name the tool's name, if known
 * @throws {ToolConfigInvalidError}
 */
export function checkTraits(traits: ToolTraits, name: unknown): void {
  const invalid = unknownOption(traits, TOOL_OPTION_NAMES) ?? invalidOption(traits, TOOL_OPTIONS);
  if (invalid !== undefined) throw new ToolConfigInvalidError(name, invalid.fault, invalid.cure);
  checkPolicyOptions(traits, name);
}

/**
 * Refuses options of policies that do not exist, have invalid values, or contradict other options of the tool.
 *
 * @param name the tool's name, if known
 * @throws {ToolConfigInvalidError}
 */
function checkPolicyOptions(traits: ToolTraits, name: unknown): void {
  const { background, cache, retry, rateLimit, concurrency } = traits;
  const refuse: Refuse = (fault, cure) => {
    throw new ToolConfigInvalidError(name, fault, cure);
  };
  if (background !== undefined) checkBackground(traits, refuse);
  if (cache !== undefined) checkCache(traits, refuse);
  if (retry !== undefined) checkRetry(traits, refuse);
  if (rateLimit !== undefined) checkFields('rateLimit', rateLimit, RATE_LIMIT, refuse);
  if (concurrency !== undefined && typeof concurrency !== 'number')
    checkFields('concurrency', concurrency, CONCURRENCY, refuse);
  else if (concurrency !== undefined) checkValue('concurrency', concurrency, COUNT, refuse);
  if (traits.once !== undefined) checkOnce(traits, refuse);
}

type Refuse = (fault: string, cure: string) => never;

function checkBackground({ background, longRunning, sequential }: ToolTraits, refuse: Refuse): void {
  if (background === false) return;
  if (background !== true) checkFields('background', background, BACKGROUND, refuse);
  if (longRunning !== undefined && longRunning !== false)
    refuse(
      'background is set, but the tool is longRunning: it ends at once with a handle',
      'Remove one of them.',
    );
  if (sequential === true)
    refuse(
      'background is set, but the tool is sequential: no other call may run beside it',
      'Remove one of them.',
    );
}

function checkOnce({ once, effect, longRunning }: ToolTraits, refuse: Refuse): void {
  if (typeof once !== 'function') checkFields('once', once, ONCE, refuse);
  if (effect === 'read')
    refuse(
      'once is set, but the effect is "read": a tool that only reads has no effect to repeat',
      'Remove one of them.',
    );
  if (longRunning !== undefined && longRunning !== false)
    refuse(
      'once is set, but the tool is longRunning: its result is a handle of one call',
      'Remove one of them.',
    );
}

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

const COUNT = wholeFrom(1);
const ATTEMPTS = wholeFrom(2);
const DELAY = rule(
  (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER,
  `Pass milliseconds from 0 to ${String(LONGEST_TIMER)}.`,
);
const PERIOD = rule(
  (value) => typeof value === 'number' && value > 0 && value < Infinity,
  'Pass milliseconds above 0.',
);
const LIFETIME = rule(
  (value) => typeof value === 'number' && value > 0,
  'Pass milliseconds above 0, or Infinity.',
);

const BACKGROUND: OptionRules<BackgroundOptions> = {
  scheduling: oneOf('interrupt', 'when_idle', 'silent'),
  format: optionsOf({
    running: FUNCTION,
    result: FUNCTION,
    cancelled: FUNCTION,
  } satisfies OptionRules<ResponseFormat>),
};
const ONCE: OptionRules<OnceOptions> = {
  key: required(FUNCTION),
  scope: oneOf('session', 'user', 'app'),
  ttlMs: LIFETIME,
};
const CACHE: OptionRules<CacheOptions> = {
  scope: oneOf('invocation', 'session', 'user', 'app'),
  ttlMs: LIFETIME,
  maxEntries: COUNT,
};
const RETRY: OptionRules<RetryOptions> = {
  attempts: required(ATTEMPTS),
  delayMs: DELAY,
  maxDelayMs: DELAY,
  unsafe: BOOLEAN,
};
const RATE_LIMIT: OptionRules<RateLimit> = {
  calls: required(COUNT),
  perMs: required(PERIOD),
  scope: oneOf('user', 'app'),
  maxWaitMs: DELAY,
};
const CONCURRENCY: OptionRules<ConcurrencyOptions> = {
  calls: required(COUNT),
  scope: oneOf('user', 'app'),
  maxQueue: wholeFrom(0),
};

/** The forms of each policy's option, for an error message. */
const FORMS = {
  background: "Pass true, false or an object such as { scheduling: 'silent' }.",
  cache: 'Pass true, false or an object such as { ttlMs: 60_000 }.',
  once: 'Pass a function that returns the key of the effect, such as (order) => ({ order }), or { key, scope, ttlMs }.',
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
  if (!isObject(options)) return refuse(`${policy} is ${shown(options)}`, FORMS[policy]);
  const found = optionFault(options, rules);
  if (found !== undefined) refuse(`in ${policy}, ${found.fault}`, found.cure);
}

function checkValue(option: string, value: unknown, { isValid, cure }: Rule, refuse: Refuse): void {
  if (!isValid(value)) refuse(`${option} is ${shown(value)}`, cure(value));
}
