import { LONGEST_TIMER } from '../runtime/clock.js';
import {
  unknownOption,
  BOOLEAN,
  FUNCTION,
  invalidOption,
  isObject,
  oneOf,
  type OptionFault,
  optionFault,
  optionsOf,
  type OptionRules,
  required,
  type Rule,
  rule,
  shown,
  wholeFrom,
  withoutOptions,
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
  const invalid = toolOptionsFault(traits);
  if (invalid !== undefined) throw new ToolConfigInvalidError(name, invalid.fault, invalid.cure);
}

/**
 * The first fault of a tool's options: one that does not exist, has an invalid value, or contradicts others.
 *
 * @param unknown the options that are set to something that is not known: rules that depend on one of them are passed over.
 *   Default: all are known
 */
export function toolOptionsFault(
  options: object,
  unknown: ReadonlySet<string> = NONE,
): OptionFault | undefined {
  const traits: ToolTraits = withoutOptions(options, unknown);
  const invalid = unknownOption(options, TOOL_OPTION_NAMES) ?? invalidOption(traits, TOOL_OPTIONS);
  if (invalid !== undefined) return invalid;
  for (const { reads, faultOf } of POLICY_RULES) {
    const found = reads.some((name) => unknown.has(name)) ? undefined : faultOf(traits);
    if (found !== undefined) return found;
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** A rule of several options of a tool, or of a policy, which has options of its own. */
interface PolicyRule {
  /** The options that it reads. */
  readonly reads: readonly string[];
  readonly faultOf: (traits: ToolTraits) => OptionFault | undefined;
}

/** A rule that can read no other options than those that it names. */
function reading<Name extends keyof ToolTraits>(
  reads: readonly Name[],
  faultOf: (traits: Pick<ToolTraits, Name>) => OptionFault | undefined,
): PolicyRule {
  return { reads, faultOf };
}

/** A rule about two options that exclude each other. */
function excluding<Name extends keyof ToolTraits>(
  reads: readonly [Name, Name],
  exclude: (traits: Pick<ToolTraits, Name>) => boolean,
  fault: string,
): PolicyRule {
  return reading(reads, (traits) => (exclude(traits) ? { fault, cure: 'Remove one of them.' } : undefined));
}

function canRepeat(idempotent: ToolTraits['idempotent']): boolean {
  return idempotent === true || typeof idempotent === 'function';
}

function isOn(option: unknown): boolean {
  return option !== undefined && option !== false;
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

/** The fault of a policy that is an object with options of its own. */
function fieldsFault(
  policy: keyof typeof FORMS,
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
): OptionFault | undefined {
  if (options === undefined) return undefined;
  if (!isObject(options)) return { fault: `${policy} is ${shown(options)}`, cure: FORMS[policy] };
  const found = optionFault(options, rules);
  return found && { fault: `in ${policy}, ${found.fault}`, cure: found.cure };
}

function valueFault(option: string, value: unknown, { isValid, cure }: Rule): OptionFault | undefined {
  return isValid(value) ? undefined : { fault: `${option} is ${shown(value)}`, cure: cure(value) };
}

/** The rules of policies and of options that contradict each other. Those of a policy follow the rule of its value. */
const POLICY_RULES: readonly PolicyRule[] = [
  reading(['background'], ({ background }) =>
    typeof background === 'boolean' ? undefined : fieldsFault('background', background, BACKGROUND),
  ),
  excluding(
    ['background', 'longRunning'],
    ({ background, longRunning }) => isOn(background) && isOn(longRunning),
    'background is set, but the tool is longRunning: it ends at once with a handle',
  ),
  excluding(
    ['background', 'sequential'],
    ({ background, sequential }) => isOn(background) && sequential === true,
    'background is set, but the tool is sequential: no other call may run beside it',
  ),
  reading(['cache'], ({ cache }) =>
    typeof cache === 'boolean' ? undefined : fieldsFault('cache', cache, CACHE),
  ),
  reading(['cache', 'effect'], ({ cache, effect }) =>
    isOn(cache) && (effect === 'write' || effect === 'destructive')
      ? {
          fault: `cache is set, but the effect is "${effect}": an equal call would be answered without having the effect`,
          cure: 'Remove cache, or the effect if the tool only reads.',
        }
      : undefined,
  ),
  excluding(
    ['cache', 'longRunning'],
    ({ cache, longRunning }) => isOn(cache) && isOn(longRunning),
    'cache is set, but the tool is longRunning: its result is a handle of one call',
  ),
  reading(['cache', 'auth'], ({ cache, auth }) =>
    auth !== undefined && typeof cache === 'object' && cache.scope === 'app'
      ? {
          fault:
            'cache.scope is "app", but the tool needs a credential, and results of one user must not reach another',
          cure: 'Pass the scope "user", "session" or "invocation".',
        }
      : undefined,
  ),
  reading(['retry'], ({ retry }) =>
    typeof retry === 'number' ? valueFault('retry', retry, ATTEMPTS) : fieldsFault('retry', retry, RETRY),
  ),
  reading(['retry', 'effect', 'idempotent'], ({ retry, effect, idempotent }) => {
    const isUnsafe = typeof retry === 'object' && retry.unsafe === true;
    if (retry === undefined || isUnsafe || effect === 'read' || canRepeat(idempotent)) return undefined;
    return {
      fault:
        'retry is set, but an attempt that failed may have had its effect, and a second one would repeat it',
      cure: "Set effect: 'read' or idempotent: true if repeating is safe, or retry: { attempts, unsafe: true } if it may happen twice.",
    };
  }),
  reading(['rateLimit'], ({ rateLimit }) => fieldsFault('rateLimit', rateLimit, RATE_LIMIT)),
  reading(['concurrency'], ({ concurrency }) =>
    typeof concurrency === 'number'
      ? valueFault('concurrency', concurrency, COUNT)
      : fieldsFault('concurrency', concurrency, CONCURRENCY),
  ),
  reading(['once'], ({ once }) => (typeof once === 'function' ? undefined : fieldsFault('once', once, ONCE))),
  excluding(
    ['once', 'effect'],
    ({ once, effect }) => once !== undefined && effect === 'read',
    'once is set, but the effect is "read": a tool that only reads has no effect to repeat',
  ),
  excluding(
    ['once', 'longRunning'],
    ({ once, longRunning }) => once !== undefined && isOn(longRunning),
    'once is set, but the tool is longRunning: its result is a handle of one call',
  ),
];
