import {
  BOOLEAN,
  FUNCTION,
  isObject,
  optionFault,
  type OptionFault,
  type OptionRules,
  optionsOf,
  required,
  type Rule,
  rule,
  shown,
} from '@adorn/core/backend';

import type { ExtractOptions } from './extractor.js';
import type { PhaseOptions, WatchOptions } from './phase.decorator.js';
import { millisecondsOf, type WatchPredicate } from './watch-predicates.js';

const NAMES = rule(areTexts, "Pass a list of names, such as ['verify'].");

/** The options of `@phase`. */
export const PHASE_OPTIONS: OptionRules<PhaseOptions> = {
  first: BOOLEAN,
  last: BOOLEAN,
  from: rule(
    (value) => isText(value) || areTexts(value) || areGuards(value),
    "Pass the name of a phase, a list such as ['opening'], or a guard for each: { opening: ({ done }) => done === true }.",
  ),
  when: FUNCTION,
  tools: NAMES,
  needs: NAMES,
  context: NAMES,
  enter: FUNCTION,
  exit: FUNCTION,
};

const DURATION = rule(isDuration, "Pass a number of milliseconds, or a text such as '20s'.");
const COUNT = rule(isCount, 'Pass a whole number above 0.');

/** The options of `@watch`. */
export const WATCH_OPTIONS: OptionRules<WatchOptions> = { cooldown: DURATION };

const EVERY = "Pass 'turn', 'phase', a number of turns, or { tool: 'look_up' }.";
const MOMENT_OF_TOOL = optionsOf({ tool: required(rule(isText, EVERY)) });

/** The options of `@extract`. */
export const EXTRACT_OPTIONS: OptionRules<ExtractOptions> = {
  schema: required(
    rule(
      (value) => isObject(value) && propertiesOf(value).length > 0,
      "Pass a schema such as { type: 'object', properties: { mood: { type: 'number' } } }.",
    ),
  ),
  model: rule(
    (value) => isText(value) || (isObject(value) && 'generate' in value),
    "Pass a model, or its name such as 'gemini-2.5-flash'.",
  ),
  turns: COUNT,
  every: {
    ...MOMENT_OF_TOOL,
    isValid: (value) =>
      value === 'turn' || value === 'phase' || isCount(value) || MOMENT_OF_TOOL.isValid(value),
    cure: () => EVERY,
  },
  timeout: DURATION,
};

const TURNS = rule((value) => typeof value === 'number' && value > 0, 'Set a number of turns above 0.');

/** The options of `repair` of an agent. */
export const REPAIR_OPTIONS = { nudge: TURNS, escalate: TURNS } as const satisfies Readonly<
  Record<string, Rule>
>;

/** True for what a function such as `changed()` returns, and not for the function itself. */
export function isPredicate(value: unknown): value is WatchPredicate {
  return isObject(value) && typeof (value as Partial<WatchPredicate>).isMet === 'function';
}

/** The first fault of the options of a decorator. An option that is undefined counts as left out. */
export function faultOfOptions(
  owner: string,
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
): OptionFault | undefined {
  const found = optionFault(options, rules);
  return found && { fault: `${owner}: ${found.fault}`, cure: found.cure };
}

/** A value that is no text, or an empty one, for an error message. */
export function faultOfKey(owner: string, key: unknown): OptionFault | undefined {
  if (isText(key)) return undefined;
  return {
    fault: `${owner}: its state key is ${shown(key)}`,
    cure: "Pass a key of the state, such as 'mood'.",
  };
}

function propertiesOf(schema: object): readonly string[] {
  const { type, properties } = schema as { readonly type?: unknown; readonly properties?: unknown };
  return type === 'object' && isObject(properties) ? Object.keys(properties) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function areGuards(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const guards = Object.values(value);
  return guards.length > 0 && guards.every((guard) => typeof guard === 'function');
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0;
}

function isDuration(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  try {
    return millisecondsOf(value) >= 0;
  } catch {
    return false;
  }
}
