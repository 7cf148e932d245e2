import { APPROVERS_CURE, approverFault } from '../approvals/approver-rule.js';
import {
  ANY,
  BOOLEAN,
  booleanOr,
  FUNCTION,
  isObject,
  LIMIT,
  oneOf,
  type OptionRules,
  required,
  type Rule,
  rule,
  TEXT,
} from '@adorn/schema';
import type { CallableOptions } from './callable.tool.js';

const DECISION = rule(
  (value) => typeof value === 'boolean' || typeof value === 'function',
  'Pass true, false, or a function of the arguments.',
);
const REMEMBER = rule(
  (value) => value === false || typeof value === 'function',
  'Pass a function of the arguments that returns a text, or false.',
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
export const SCHEMA = rule(
  (value) => isObject(value) || typeof value === 'function',
  'Pass a JSON Schema as an object, or a schema of a library such as zod.',
);
const LONG_RUNNING_CURE = 'Pass true, false or { announce: true }.';
const ANNOUNCE = required(rule((value) => typeof value === 'boolean', LONG_RUNNING_CURE));
const LONG_RUNNING = booleanOr({ announce: ANNOUNCE }, LONG_RUNNING_CURE);

/** Checked with the other options that it must fit, by `checkPolicyOptions`. */
const POLICY = ANY;

/**
 * Every option of a tool, with the rule of its value: the names that are accepted and suggested, the check, and the rows of
 * the documentation come from this table. An option without a rule does not compile.
 */
export const TOOL_OPTIONS: OptionRules<
  CallableOptions & { readonly parameters: unknown; readonly run: unknown }
> = {
  approvers: APPROVERS,
  // Checked where the schemes of all tools are read, by `checkAuthConfig`.
  auth: ANY,
  background: POLICY,
  cache: POLICY,
  checkTimeout: LIMIT,
  concurrency: POLICY,
  confidential: BOOLEAN,
  confirm: CONFIRM,
  description: TEXT,
  effect: oneOf('read', 'write', 'destructive'),
  exposeErrors: BOOLEAN,
  idempotent: DECISION,
  longRunning: LONG_RUNNING,
  maxResultBytes: LIMIT,
  name: TEXT,
  once: POLICY,
  outside: BOOLEAN,
  parameters: SCHEMA,
  rateLimit: POLICY,
  reconcile: FUNCTION,
  remember: REMEMBER,
  retry: POLICY,
  run: FUNCTION,
  sensitive: BOOLEAN,
  sequential: BOOLEAN,
  tell: oneOf('each', 'last', 'end'),
  timeout: LIMIT,
  unknownArguments: oneOf('refuse', 'drop'),
  untrusted: BOOLEAN,
};

/** The names of all options of a tool, such as `timeout`; also `name`, `parameters` and `run`. */
export const TOOL_OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(TOOL_OPTIONS));
