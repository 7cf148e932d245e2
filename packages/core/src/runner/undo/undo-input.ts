import { assertName, checkName, kindOf } from '@adorn/schema';

import type { Answerer, ConversationAddress, MessageInput, RunInput } from '../begin/run-input.js';
import { CallInvalidError } from '../begin/call-input.js';

/** The run to undo, and who undoes it. */
export interface UndoInput
  extends ConversationAddress, Pick<Answerer, 'by' | 'channel'>, Pick<RunInput, 'config' | 'signal'> {
  readonly sessionId: string;
  /** The run whose calls are undone, with the runs that continued it. */
  readonly invocationId: string;
  /** The ids of the calls to undo. Default: all calls of the run. */
  readonly calls?: readonly string[] | undefined;
  /** The id of the run that undoes. Default: a new one. */
  readonly id?: string | undefined;
}

/** A checked undo. */
export interface RequestedUndo {
  readonly invocationId: string;
  /** Undefined: all calls. */
  readonly only: readonly string[] | undefined;
}

/**
 * The message that stands in the log before the calls of an undo.
 *
 * @throws {CallInvalidError | NameInvalidError | NameTooLongError}
 */
export function undoInput({ invocationId, calls, id, ...input }: UndoInput): MessageInput {
  const { appName, userId, sessionId, by, channel, config, signal } = input;
  assertName('id of an invocation', invocationId);
  const given: unknown = calls;
  if (given !== undefined && !Array.isArray(given))
    throw new CallInvalidError(`calls is ${kindOf(given)}. Pass a list of ids of calls, or omit it.`);
  for (const call of calls ?? []) checkName('id of a call', call);
  return {
    kind: 'message',
    input: {
      ...{ appName, userId, sessionId, by, channel, config, signal },
      invocationId: id,
      message: 'Undo what was done before.',
    },
    undo: { invocationId, only: calls },
  };
}
