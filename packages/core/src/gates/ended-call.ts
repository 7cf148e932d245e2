import { Deny } from './callbacks/agent-callbacks.js';
import { AdornError, describeThrown, isAdornErrorCode, present } from '@adorn/schema';
import type { CallEnding, CallError } from '../events/call-ending.js';
import type { EventActions } from '../events/event-actions.js';
import { ToolError } from '../tools/errors.js';
import { readableResult } from './outcome.js';
import type { ToolCall } from './tool-call.js';

/** What a tool ended with, before the callbacks after it. */
export type Ended =
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What a tool ended with, and what it wrote until then: the part of a call that a pause behind the tool keeps. */
export interface EndedCall {
  readonly ended: Ended;
  /** The actions of the call up to here. What the next callback writes is not among them: it runs again. */
  readonly actions: Partial<EventActions>;
}

/** Notes what the tool of a call ended with, before a callback after it is called. */
export function noteEnded(call: ToolCall, ended: Ended): void {
  call.ended = { ended, actions: call.context.drainActions() ?? {} };
}

/**
 * What a call ended with, for the log.
 *
 * @throws {ValueNotJsonError | ResultTooLargeError} if the result cannot be stored
 */
export async function storedEnding(call: ToolCall, { ended, actions }: EndedCall): Promise<CallEnding> {
  const { stateDelta: _state, artifactDelta: _artifacts, ...steering } = actions;
  const { longRunning, mayHaveTakenEffect } = call.context;
  const kept = present({
    steering: Object.keys(steering).length > 0 ? steering : undefined,
    longRunning: longRunning || undefined,
    mayHaveTakenEffect: mayHaveTakenEffect || undefined,
    receipt: call.receipt,
  });
  if (ended.kind === 'failed') return { kind: 'failed', error: storedError(call, ended.error), ...kept };
  const { result } = ended;
  if (Deny.is(result)) return { kind: 'denied', reason: result.reason, ...kept };
  if (result === undefined) return { kind: 'returned', ...kept };
  return { kind: 'returned', result: await readableResult(call, result), ...kept };
}

function storedError({ context }: ToolCall, error: unknown): CallError {
  const { name, message, code } = describeThrown(error);
  const { isFinal, mayHaveTakenEffect } = code === 'TOOL_FAILED' ? (error as Partial<ToolError>) : {};
  return present({ name, message: context.withoutSecrets(message), code, isFinal, mayHaveTakenEffect });
}

/** Gives a call what its tool ended with before a pause. */
export function restoreEnding(call: ToolCall, ending: CallEnding): Ended {
  const { context } = call;
  Object.assign(context.actions, ending.steering);
  context.longRunning = ending.longRunning === true;
  call.receipt = ending.receipt;
  if (call.answer?.confirmation?.confirmed === true) context.confirmation = call.answer.confirmation;
  switch (ending.kind) {
    case 'failed':
      return { kind: 'failed', error: restoredError(ending.error) };
    case 'denied':
      return { kind: 'returned', result: new Deny(ending.reason ?? '') };
    case 'returned':
      return { kind: 'returned', result: ending.result };
  }
}

function restoredError(
  { name, message, code, ...effect }: CallError = { name: 'Error', message: '' },
): Error {
  if (code === 'TOOL_FAILED') {
    const { isFinal: final = false, mayHaveTakenEffect = false } = effect;
    return Object.assign(new ToolError(message, { final, mayHaveTakenEffect }), { name });
  }
  const error = isAdornErrorCode(code) ? new StoredToolError(code, message) : new Error(message);
  return Object.assign(error, { name });
}

/** An error of a tool, as the log kept it over a pause: it has the name, the message and the code of the one that was thrown. */
class StoredToolError extends AdornError {
  constructor(
    readonly code: AdornError['code'],
    message: string,
  ) {
    super(message);
  }
}
