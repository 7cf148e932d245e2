import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import { keyOf, type Session } from '../events/session.js';
import type { SessionService } from '../sessions/session.service.js';
import type { CompactionPlan } from './plan-compaction.js';
import { unlessAborted } from './unless-aborted.js';

const TRIES = 5;

/**
 * Appends a marker where what it was made of still holds: others may go on talking meanwhile, but a rewind, another
 * marker, or another conversation under the same id is the end of it.
 *
 * @returns whether it was appended
 */
export async function appendMarker(
  sessions: SessionService,
  session: Session,
  event: Event,
  { last }: CompactionPlan,
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await unlessAborted(
      sessions.getSession(keyOf(session), { afterSeq: last.seq - 1 }),
      signal,
    );
    const [known, ...later] = found?.events ?? [];
    if (found === undefined || known?.id !== last.event.id || later.some(isTurn)) return false;
    try {
      await sessions.appendEvent(session, event, { expectedSeq: found.nextSeq });
      return true;
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'SESSION_CONFLICT') throw error;
    }
  }
  return false;
}

function isTurn({ actions }: Event): boolean {
  return actions.rewindBeforeInvocationId !== undefined || actions.compaction !== undefined;
}
