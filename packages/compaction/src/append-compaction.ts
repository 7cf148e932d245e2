import { AdornError, type Event, type Session, type SessionService } from '@adorn/core';
import { type Cancellation, keyOf } from '@adorn/core/backend';

import type { CompactionPlan } from './plan-compaction.js';

const TRIES = 5;

/**
 * Appends a compaction event, unless its log has changed: other runs may have appended events meanwhile, but after a
 * rewind or another compaction, or if the session was replaced, nothing is appended.
 *
 * @returns whether it was appended
 */
export async function appendCompaction(
  sessions: SessionService,
  session: Session,
  event: Event,
  { last }: CompactionPlan,
  scope: Cancellation,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await scope.wait(sessions.getSession(keyOf(session), { afterSeq: last.seq - 1 }));
    const [known, ...later] = found?.events ?? [];
    if (!found || known?.id !== last.event.id || later.some(invalidatesSummary)) return false;
    try {
      await sessions.appendEvent(session, event, { expectedSeq: found.nextSeq });
      return true;
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'SESSION_CONFLICT') throw error;
    }
  }
  return false;
}

function invalidatesSummary({ actions }: Event): boolean {
  return actions.rewindBeforeInvocationId !== undefined || actions.compaction !== undefined;
}
