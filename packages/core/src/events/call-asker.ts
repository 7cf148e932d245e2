/**
 * The functions of a call that may ask a person, in the order in which they run. An answer belongs to the function that
 * asked: it continues there, and is given to no other.
 */
export const CALL_ASKERS = [
  'validate',
  'checkTool',
  'confirm',
  'confirmationProvider',
  'reconcile',
  'beforeTool',
  'tool',
  'onToolError',
  'afterTool',
] as const;

/** A function of a call that asked a person. A guardrail asks in `checkTool` and `afterTool`. */
export type CallAsker = (typeof CALL_ASKERS)[number];

/** The functions that run when the tool has ended. The tool does not run again with the answer. */
export type AskerAfterTool = Extract<CallAsker, 'onToolError' | 'afterTool'>;

/** True for a function of a call, as the log names it. */
export function isCallAsker(value: unknown): value is CallAsker {
  return CALL_ASKERS.some((asker) => asker === value);
}

/** The functions of the tool itself. The others are callbacks of agents, plugins and the application. */
const OF_TOOL: ReadonlySet<unknown> = new Set<CallAsker>(['validate', 'confirm', 'reconcile', 'tool']);

/** True for a function of the tool itself: `approvers` of the tool say who may answer it. */
export function isOfTool(asker: unknown): boolean {
  return OF_TOOL.has(asker);
}

/** True if the function runs before the tool, so that a call that waits for it has had no effect. */
export function asksBeforeTool(asker: CallAsker | undefined): boolean {
  return asker !== undefined && asker !== 'tool' && !asksAfterTool(asker);
}

/** True if the function runs when the tool has ended. */
export function asksAfterTool(asker: unknown): asker is AskerAfterTool {
  return asker === 'onToolError' || asker === 'afterTool';
}
