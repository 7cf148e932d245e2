import { runPathOf } from '../events/event-place.js';
import { isReadWithin } from '../events/mail.js';
import type { Event } from '../events/event.js';
import { logOf, type Session } from '../events/session.js';
import { CompactionEvent, isCompaction } from './compaction-event.js';
import { Projection, SessionSlot } from './projection.js';

/** What a log holds since its last summary. */
export interface SinceSummary {
  /** How many runs began. */
  readonly runs: number;
  /** The prompt tokens that a model reported last; undefined if none has. */
  readonly promptTokens: number | undefined;
  /** The last sequence number that a summary covers; -1 if there is no summary. */
  readonly coveredEnd: number;
}

/** Counts what a session's log holds since its last summary; from then on only what was appended is counted. */
export function sinceLastSummary(session: Session): SinceSummary {
  const { uncoveredRuns: runs, promptTokens, coveredEnd } = CompactionTracker.of(session);
  return { runs, promptTokens, coveredEnd };
}

const trackers = new SessionSlot(() => new CompactionTracker());

/** Counts the runs and tokens of a session since its last summary, by which the next one is due. */
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

  /** How many runs began since the last summary. */
  get uncoveredRuns(): number {
    return this.runs.length;
  }

  /** The prompt tokens that a model reported last; undefined if none has since the last summary. */
  get promptTokens(): number | undefined {
    return this.tokens;
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
    this.tokens = undefined;
    if (!compaction) return;
    this.coveredTo = Math.max(this.coveredTo, endOf(compaction, session));
    this.runs = this.runs.filter((start) => start > this.coveredTo);
  }
}

/** Each run begins with one event of the user. */
function beginsRun(event: Event): boolean {
  const { author, branch, content } = event;
  const isMessage = author === 'user' && branch === undefined && content !== undefined;
  return isMessage && runPathOf(event) === undefined && !isReadWithin(event);
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
