import { APPROVERS_CURE, approverFault } from '../approvals/approver-rule.js';
import {
  BOOLEAN,
  booleanOr,
  FUNCTION,
  isObject,
  LIMIT,
  LIST,
  OBJECT,
  oneOf,
  required,
  type Rule,
  rule,
  TEXT,
} from '@adorn/schema';

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
  remember: REMEMBER,
  outputSchema: SCHEMA,
  parameters: SCHEMA,
  reconcile: FUNCTION,
  run: FUNCTION,
  sensitive: BOOLEAN,
  sequential: BOOLEAN,
  skipSummarization: BOOLEAN,
  staticInstruction: TEXT_OR_CONTENT,
  subAgents: LIST,
  tell: oneOf('each', 'last', 'end'),
  timeout: LIMIT,
  tools: LIST,
  unknownArguments: oneOf('refuse', 'drop'),
  untrusted: BOOLEAN,
} as const satisfies Readonly<Record<string, Rule>>;
