import type { Content } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { COVERED_SEQS, type SeqRange } from '../events/compaction-marker.js';
import { Event } from '../events/event.js';
import { keyOf, type Session } from '../events/session.js';
import type { Place } from '../events/standing-events.js';
import { newInvocationId } from '../runtime/ids.js';
import type { SessionService } from '../sessions/session.service.js';
import type { CompactionPlan } from './plan-compaction.js';
import { unlessAborted } from './unless-aborted.js';

/** The event that stands for the ones at some places. It is of an invocation of its own: a rewind to it undoes it. */
export function markerEvent(
  covered: readonly Place[],
  seqs: SeqRange,
  compactedContent: Content,
  timestamp: number,
): Event {
  const times = covered.map(({ event }) => event.timestamp);
  const compaction = {
    startTimestamp: times.reduce((a, b) => Math.min(a, b), Infinity),
    endTimestamp: times.reduce((a, b) => Math.max(a, b), -Infinity),
    compactedContent,
  };
  return new Event(
    { author: 'user', actions: { compaction }, customMetadata: { [COVERED_SEQS]: seqs } },
    { invocationId: newInvocationId(), timestamp },
  );
}

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
