import { APPROVERS_CURE, approverFault } from '../approvals/approver-rule.js';
import { kindOf } from '../errors/describe-thrown.js';
import { shownName } from '../names/check-name.js';
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
const TEXT_OR_CONTENT = rule(
  (value) => typeof value === 'string' || isObject(value),
  "Pass a text, or a content such as { parts: [{ text: '…' }] }.",
);
const INSTRUCTION = rule(
  (value) => typeof value === 'string' || typeof value === 'function',
  'Pass a text, or a function that returns one.',
);
const DECISION = rule(
  (value) => typeof value === 'boolean' || typeof value === 'function',
  'Pass true, false, or a function of the arguments.',
);
const CONFIRM = rule(
  (value) => ['boolean', 'string', 'function'].includes(typeof value),
  'Pass true, false, a hint, or a function of the arguments.',
);
/** The rule of an option that says who may answer. */
const APPROVERS: Rule = {
  isValid: (value) => typeof value === 'function' || approverFault(value) === undefined,
  cure: (value) => `${sentenceOf(approverFault(value))}${APPROVERS_CURE}`,
};

function sentenceOf(fault = ''): string {
  return fault === '' ? '' : `${fault.charAt(0).toUpperCase()}${fault.slice(1)}. `;
}

/** A schema of a library may be a function. */
const SCHEMA = rule(
  (value) => isObject(value) || typeof value === 'function',
  'Pass a JSON Schema as an object, or a schema of a library such as zod.',
);
const LONG_RUNNING_CURE = 'Pass true, false or { announce: true }.';
const ANNOUNCE = required(rule((value) => typeof value === 'boolean', LONG_RUNNING_CURE));
const LONG_RUNNING = booleanOr({ announce: ANNOUNCE }, LONG_RUNNING_CURE);

/** The options of tools and agents with one simple type each, and that type. One name has the same type everywhere. */
export const SIMPLE_OPTIONS = {
  name: TEXT,
  description: TEXT,
  approvers: APPROVERS,
  checkTimeout: LIMIT,
  confirm: CONFIRM,
  delegation: oneOf('handoff', 'call'),
  disableTransfer: BOOLEAN,
  disallowTransferToParent: BOOLEAN,
  disallowTransferToPeers: BOOLEAN,
  effect: oneOf('read', 'write', 'destructive'),
  exposeErrors: BOOLEAN,
  generateContentConfig: OBJECT,
  globalInstruction: INSTRUCTION,
  idempotent: DECISION,
  includeContents: oneOf('default', 'none'),
  instruction: INSTRUCTION,
  longRunning: LONG_RUNNING,
  maxIterations: LIMIT,
  maxResultBytes: LIMIT,
  outputKey: TEXT,
  outputSchema: SCHEMA,
  parameters: SCHEMA,
  reconcile: FUNCTION,
  run: FUNCTION,
  sensitive: BOOLEAN,
  sequential: BOOLEAN,
  skipSummarization: BOOLEAN,
  staticInstruction: TEXT_OR_CONTENT,
  subAgents: LIST,
  timeout: LIMIT,
  tools: LIST,
  unknownArguments: oneOf('refuse', 'drop'),
  untrusted: BOOLEAN,
} as const satisfies Readonly<Record<string, Rule>>;

/** The first option whose value is invalid. An option that is undefined counts as left out. */
export function invalidOption(
  options: object,
  rules: Readonly<Record<string, Rule>> = SIMPLE_OPTIONS,
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
 * The first fault of an options object by the rules of its options: no object, an option that does not exist, one that is
 * missing, or one with an invalid value. An option that is undefined counts as left out.
 */
export function optionFault(
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
): OptionFault | undefined {
  const names = new Set(Object.keys(rules));
  if (!isObject(options))
    return {
      fault: `its options are ${shown(options)}`,
      cure: `Pass an object with options. Valid: ${[...names].join(', ')}.`,
    };
  const unknown = unknownOption(options, names);
  return unknown ?? missingOption(options, rules) ?? invalidOption(options, rules);
}

function missingOption(options: object, rules: Readonly<Record<string, Rule>>): OptionFault | undefined {
  for (const [option, { isRequired, cure }] of Object.entries(rules))
    if (isRequired === true && (options as Record<string, unknown>)[option] === undefined)
      return { fault: `${option} is missing`, cure: cure(undefined) };
  return undefined;
}

/** True for an object that is not a list: options are one. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An invalid value of an option, for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${shownName(value)}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}
