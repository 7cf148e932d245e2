import { CompactionMarker, isMarker } from '../events/compaction-marker.js';
import { logOf, Projection, type Session } from '../events/session.js';
import type { Event } from '../events/event.js';
import { type Place, standingPlaces } from '../events/standing-events.js';
import type { CompactionRules } from './events-compaction-config.js';

/** Why a conversation is to be summarised. */
export type CompactionReason = 'tokens' | 'interval';

const ledgers = new Projection(() => new CompactionLedger());

/**
 * What has gathered in a session since its last summary: kept up behind a cursor, so that no event is looked at
 * twice. A rewind drops it, and it is made once from what still stands.
 */
export class CompactionLedger {
  private cursor = 0;
  /** Where each run began that is not covered yet. */
  private runs: number[] = [];
  private coveredTo = -1;
  private tokens: number | undefined;

  static of(session: Session): CompactionLedger {
    const ledger = ledgers.of(session);
    ledger.catchUp(session);
    return ledger;
  }

  /** The last place that some summary covers; -1 where there is none. */
  get coveredEnd(): number {
    return this.coveredTo;
  }

  /** The threshold goes before the interval; undefined where nothing is due. */
  reason({ threshold, interval }: CompactionRules): CompactionReason | undefined {
    if (threshold !== undefined && (this.tokens ?? 0) >= threshold.tokens) return 'tokens';
    return interval !== undefined && this.runs.length >= interval.runs ? 'interval' : undefined;
  }

  private catchUp(session: Session): void {
    const { nextSeq } = session;
    const events = logOf(session);
    const first = nextSeq - events.length;
    while (this.cursor < events.length) {
      const seq = first + this.cursor;
      const event = events[this.cursor++];
      if (event?.actions.rewindBeforeInvocationId !== undefined) this.rebuild(session);
      else if (event !== undefined) this.take({ seq, event }, session);
    }
  }

  private rebuild(session: Session): void {
    this.runs = [];
    this.coveredTo = -1;
    this.tokens = undefined;
    for (const place of standingPlaces(session)) this.take(place, session);
    this.cursor = logOf(session).length;
  }

  private take(place: Place, session: Session): void {
    const { seq, event } = place;
    if (isMarker(event)) this.mark(CompactionMarker.of(place), session);
    else {
      if (beginsRun(event)) this.runs.push(seq);
      this.tokens = event.usageMetadata?.promptTokenCount ?? this.tokens;
    }
  }

  /** What was reported before a summary says nothing of what is shown since. */
  private mark(marker: CompactionMarker | undefined, session: Session): void {
    if (marker === undefined) return;
    this.tokens = undefined;
    this.coveredTo = Math.max(this.coveredTo, endOf(marker, session));
    this.runs = this.runs.filter((start) => start > this.coveredTo);
  }
}

/** Each run begins with one event of its user. */
function beginsRun({ author, branch, content }: Event): boolean {
  return author === 'user' && branch === undefined && content !== undefined;
}

/** The last place that a marker spans; times are looked for backwards from it. */
function endOf(marker: CompactionMarker, session: Session): number {
  if (marker.seqs !== undefined) return Math.min(marker.seqs.end, marker.place.seq - 1);
  const events = logOf(session);
  const first = session.nextSeq - events.length;
  for (let seq = marker.place.seq - 1; seq >= first; seq--) {
    const event = events[seq - first];
    if (event !== undefined && marker.spans({ seq, event })) return seq;
  }
  return -1;
}
