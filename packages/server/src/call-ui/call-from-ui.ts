import type { PendingRequest, RunResult } from '@adorn/core';
import { type CallUi, uiResultOf } from '@adorn/core/backend';

import { signatureOf } from '../access/caller.js';
import type { Addressed, ServerContext } from '../server-context.js';
import type { UiCallOutcome } from './call-ui-json.js';

/** What a page calls, by the name that its server knows. */
export interface CalledTool {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Calls a tool for a page. It counts as a stream of the user while it runs, and goes on if the page is closed meanwhile.
 *
 * @throws {UiCallRefusedError | LimitReachedError} before anything is stored
 */
export async function callFromUi(
  server: ServerContext,
  { caller, userId, key }: Addressed,
  ui: CallUi,
  { name, args }: CalledTool,
): Promise<UiCallOutcome> {
  const held = server.quotas.streams.open(userId, 1);
  try {
    const callId = crypto.randomUUID();
    const run = ui.call(name, args, { ...signatureOf(caller, userId), callId });
    await server.runs.add(key, run, Infinity).ended;
    return outcomeOf(await run, callId);
  } finally {
    held.release();
  }
}

function outcomeOf({ events, pending }: RunResult<unknown>, callId: string): UiCallOutcome {
  const open = pendingFor(callId, pending);
  if (open.length > 0) return { callId, pending: open };
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  const last = responses.findLast(({ id }) => id === callId);
  return uiResultOf(last?.response ?? { error: 'The call has ended without a result.' });
}

/** The requests that a call waits for. */
export function pendingFor(callId: string, pending: readonly PendingRequest[]): PendingRequest[] {
  return pending.filter(({ functionCallId }) => functionCallId === callId);
}
