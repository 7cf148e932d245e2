import { ToolPausedError } from '../tools/tool-requests.js';
import { type Ended, noteEnded } from './ended-call.js';
import { afterCall, completionOf, failureOf, shownResult } from './outcome.js';
import type { ToolCall, ToolOutcome } from './tool-call.js';
import type { AskerAfterTool } from '../events/call-asker.js';

/**
 * The outcome of a call whose tool has ended, or was replaced by `beforeTool`: `onToolError` may answer for an error, and
 * `afterTool` may replace a result. If one of them asks a person, the call waits with what the tool ended with, and
 * continues here with the answer. Never rejects.
 */
export async function completeCall(call: ToolCall, ended: Ended): Promise<ToolOutcome> {
  try {
    const result = ended.kind === 'returned' ? ended.result : await recovered(call, ended);
    const { afterTool } = call.callbacks;
    if (afterTool === undefined) return await completionOf(call, result);
    const { entry, args, context } = call;
    const shown = shownResult(call, result);
    const replaced = await askCallback(call, { kind: 'returned', result: shown }, 'afterTool', () =>
      afterTool(entry.tool, args, shown, context),
    );
    return await completionOf(call, replaced === undefined ? shown : replaced);
  } catch (error) {
    return failureOf(call, error);
  }
}

/** The result of `onToolError`. @throws the error of the tool, if it has none */
async function recovered(call: ToolCall, ended: Extract<Ended, { kind: 'failed' }>): Promise<unknown> {
  const { onToolError } = call.callbacks;
  if (onToolError === undefined) throw ended.error;
  const { entry, args, context } = call;
  const result = await askCallback(call, ended, 'onToolError', () =>
    onToolError(entry.tool, args, ended.error, context),
  );
  if (result === undefined) throw ended.error;
  return result;
}

/**
 * Calls a callback after the tool.
 *
 * @throws {ToolPausedError} if it has asked a person, whatever it returned
 * @throws {InvocationCancelledError} if the invocation is cancelled first: the result is not shown then, because the
 *   callback might have replaced it
 */
async function askCallback(
  call: ToolCall,
  ended: Ended,
  asker: AskerAfterTool,
  ask: () => Promise<unknown> | undefined,
): Promise<unknown> {
  const { context, entry } = call;
  noteEnded(call, ended);
  context.askAs(asker);
  const asked = ask();
  const answer: unknown = asked && (await afterCall(call, asked, asker));
  if (context.question !== undefined) throw new ToolPausedError(entry.tool.name, asker);
  return answer;
}
