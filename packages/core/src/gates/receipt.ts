import type { UndoMark } from '../events/undo-mark.js';
import { Deny } from './callbacks/agent-callbacks.js';
import type { Ended } from './ended-call.js';
import { readableResult } from './outcome.js';
import type { ToolCall } from './tool-call.js';

/**
 * Notes what an undo of the call needs, when its tool has returned. The result is the one of the tool, whatever a callback
 * makes of it for the model. A result that cannot be stored leaves the call without a receipt: it cannot be undone.
 */
export async function noteReceipt(call: ToolCall, ended: Ended): Promise<void> {
  const { context, effect, entry, id, invocation } = call;
  const { undo } = entry.tool;
  if (!undo || ended.kind !== 'returned' || Deny.is(ended.result) || context.question !== undefined) return;
  try {
    const result = await readableResult(call, ended.result);
    call.receipt = { undo: undo.name, result: result ?? null, effect };
  } catch (error) {
    invocation.services.logger.warn('a call cannot be undone: its result cannot be stored', {
      callId: id,
      error,
    });
  }
}

/**
 * Frees the effect of a call that was undone, so that the next call with its key has its effect again. Called before the log
 * says that the call was undone, and again if the process died in between.
 */
export async function revokeUndone(
  { context, invocation }: ToolCall,
  { effect }: UndoMark,
  ended: Ended,
): Promise<void> {
  if (!effect || ended.kind !== 'returned' || Deny.is(ended.result) || context.question !== undefined) return;
  const { scope, tool, key, id } = effect;
  await invocation.services.effects.revoke({ appName: context.appName, scope, tool, key }, id);
}
