import type { Content } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { Event } from '../events/event.js';
import { keyOf, type Session } from '../events/session.js';
import { COVERED_SEQS, type SeqRange } from '../log/compaction-event.js';
import type { LogEntry } from '../log/effective-events.js';
import type { RunInProgress } from '../invocation/invocation-services.js';
import { newInvocationId } from '../runtime/ids.js';
import type { SessionService } from '../sessions/session.service.js';
import type { CompactionPlan } from './plan-compaction.js';

/**
 * Creates the compaction event for the covered entries.
 *
 * @param run the run that continues after it. Default: none; the event then has an invocation of its own, so that a
 * rewind can undo it
 */
export function compactionEvent(
  covered: readonly LogEntry[],
  seqs: SeqRange,
  compactedContent: Content,
  timestamp: number,
  run?: RunInProgress,
): Event {
  const times = covered.map(({ event }) => event.timestamp);
  const compaction = {
    startTimestamp: times.reduce((a, b) => Math.min(a, b), Infinity),
    endTimestamp: times.reduce((a, b) => Math.max(a, b), -Infinity),
    compactedContent,
  };
  return new Event(
    { author: 'user', actions: { compaction }, customMetadata: { [COVERED_SEQS]: seqs } },
    run === undefined
      ? { invocationId: newInvocationId(), timestamp }
      : { invocationId: run.invocationId, nodeInfo: { path: run.path }, timestamp },
  );
}

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
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await unlessAborted(
      sessions.getSession(keyOf(session), { afterSeq: last.seq - 1 }),
      signal,
    );
    const [known, ...later] = found?.events ?? [];
    if (found === undefined || known?.id !== last.event.id || later.some(invalidatesSummary)) return false;
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

/**
 * Waits for a promise until the signal is aborted; the promise is ignored from then on.
 *
 * @throws the signal's reason as soon as it is aborted
 */
export async function unlessAborted<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}
