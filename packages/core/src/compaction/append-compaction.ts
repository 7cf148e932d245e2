import type { Content } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { runPathOf } from '../events/event-place.js';
import { Event } from '../events/event.js';
import { keyOf, logOf, type Session } from '../events/session.js';
import type { Cancellation } from '../invocation/cancellation.js';
import type { RunInProgress } from '../invocation/invocation-services.js';
import { CompactionEvent, COVERED_SEQS, isCompaction, type SeqRange } from '../log/compaction-event.js';
import { Projection, SessionSlot } from '../log/projection.js';
import { type LogEntry } from '../log/effective-events.js';
import { newInvocationId } from '../runtime/ids.js';
import type { SessionService } from '../sessions/session.service.js';
import type { CompactionRules } from './events-compaction-config.js';
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
    run
      ? { invocationId: run.invocationId, nodeInfo: { path: run.path }, timestamp }
      : { invocationId: newInvocationId(), timestamp },
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

/** Why a summary is due. */
export type CompactionReason = 'tokens' | 'interval';

const trackers = new SessionSlot(() => new CompactionTracker());

/** Counts the runs and tokens of a session since its last summary, to tell when the next one is due. */
export class CompactionTracker extends Projection {
  /** The first sequence number of each run that is not covered yet. */
  private runs: number[] = [];
  private coveredTo = -1;
  private tokens: number | undefined;

  /** The tracker of a session, up to date. */
  static of(session: Session): CompactionTracker {
    const tracker = trackers.of(session);
    tracker.catchUp(session);
    return tracker;
  }

  /** The last covered sequence number; -1 if there is no summary. */
  get coveredEnd(): number {
    return this.coveredTo;
  }

  /** The threshold is checked before the interval. Undefined if no summary is due. */
  reason({ threshold, interval }: CompactionRules): CompactionReason | undefined {
    if (threshold && (this.tokens ?? 0) >= threshold.tokens) return 'tokens';
    return interval && this.runs.length >= interval.runs ? 'interval' : undefined;
  }

  protected override reset(): void {
    this.runs = [];
    this.coveredTo = -1;
    this.tokens = undefined;
  }

  protected override apply(event: Event, seq: number, session: Session): void {
    if (isCompaction(event)) this.cover(CompactionEvent.of({ seq, event }), session);
    else {
      if (beginsRun(event)) this.runs.push(seq);
      this.tokens = event.usageMetadata?.promptTokenCount ?? this.tokens;
    }
  }

  /** Token counts reported before a summary do not apply to the shorter conversation after it. */
  private cover(compaction: CompactionEvent | undefined, session: Session): void {
    if (!compaction) return;
    this.tokens = undefined;
    this.coveredTo = Math.max(this.coveredTo, endOf(compaction, session));
    this.runs = this.runs.filter((start) => start > this.coveredTo);
  }
}

/** Each run begins with one event of the user. */
function beginsRun(event: Event): boolean {
  const { author, branch, content } = event;
  return author === 'user' && branch === undefined && content !== undefined && runPathOf(event) === undefined;
}

/** The last sequence number that a compaction covers. If it only gives times, events are searched backwards. */
function endOf(compaction: CompactionEvent, session: Session): number {
  if (compaction.seqs) return Math.min(compaction.seqs.end, compaction.entry.seq - 1);
  const events = logOf(session);
  const first = session.nextSeq - events.length;
  for (let seq = compaction.entry.seq - 1; seq >= first; seq--) {
    const event = events[seq - first];
    if (event && compaction.spans({ seq, event })) return seq;
  }
  return -1;
}
