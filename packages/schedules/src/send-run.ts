import type { Runner } from '@adorn/core';
import type { SentMessage } from '@adorn/core/backend';

import type { StoredRun } from './occurrence.js';

/** Stores the message of a run in its session, once for each id. */
export function sendRun(
  runner: Runner<unknown>,
  { id, userId, sessionId, message, by }: StoredRun,
): Promise<SentMessage<unknown>> {
  return runner.send({ userId, sessionId }, message, { id, when: 'next', by, channel: 'schedule' });
}
