import { compactedView } from '../events/compacted-view.js';
import { isMarker, type SeqRange } from '../events/compaction-marker.js';
import { logOf, type Session } from '../events/session.js';
import type { Event } from '../events/event.js';
import { isFinalResponse } from '../events/is-final-response.js';
import { type Place, standingPlaces } from '../events/standing-events.js';
import { unfinishedCalls } from '../events/unfinished-calls.js';
import { CompactionLedger, type CompactionReason } from './compaction-ledger.js';
import type { CompactionRules } from './events-compaction-config.js';
import { markerEvent } from './marker-event.js';

/** What is to be summarised, and what the summary will stand for. */
export interface CompactionPlan {
  /** What the summarizer is given. */
  readonly events: readonly Event[];
  /** The events that nothing covered before. */
  readonly covered: readonly Place[];
  readonly seqs: SeqRange;
  /** The last event that was there when the plan was made, and its place. */
  readonly last: Place;
}

/** Undefined where there is nothing to do. */
export function planCompaction(session: Session, rules: CompactionRules): CompactionPlan | undefined {
  const ledger = CompactionLedger.of(session);
  const reason = ledger.reason(rules);
  const last = logOf(session).at(-1);
  if (reason === undefined || last === undefined) return undefined;
  const places = standingPlaces(session);
  const events = places.filter((place) => !isMarker(place.event) && says(place));
  const settled = settledEnd(places.filter(({ event }) => !isMarker(event)));
  const seqs = rangeOf(events, reason, rules, { settled, covered: ledger.coveredEnd });
  if (seqs === undefined) return undefined;
  const before = compactedView(places).shown;
  const stays = new Set(compactedView([...places, draftOf(seqs, session.nextSeq)]).shown);
  const replaced = before.filter((place) => !stays.has(place) && says(place));
  const covered = replaced.filter(({ event }) => !isMarker(event));
  if (covered.length === 0) return undefined;
  const again = reason === 'tokens' ? [] : overlapOf(events, seqs, before);
  return {
    events: inOrder(again, before, new Set(replaced)),
    covered,
    seqs,
    last: { seq: session.nextSeq - 1, event: last },
  };
}

function says({ event }: Place): boolean {
  return event.content !== undefined || isMarker(event);
}

/** Both ends included; undefined where it would be empty. */
function rangeOf(
  events: readonly Place[],
  reason: CompactionReason,
  { threshold, interval }: CompactionRules,
  { settled, covered }: { readonly settled: number; readonly covered: number },
): SeqRange | undefined {
  const isTokens = reason === 'tokens';
  const kept = isTokens ? (threshold?.retention ?? 0) : 0;
  const end = Math.min(settled, events[events.length - 1 - kept]?.seq ?? -1);
  const fresh = events.findIndex(({ seq }) => seq > covered);
  const start = isTokens ? 0 : events[Math.max(0, fresh - (interval?.overlap ?? 0))]?.seq;
  return fresh === -1 || start === undefined || end < start ? undefined : { start, end };
}

/** What an earlier summary covers and this one tells again, so that the two hang together. */
function overlapOf(events: readonly Place[], { start, end }: SeqRange, shown: readonly Place[]): Place[] {
  const alone = new Set(shown);
  return events.filter((place) => place.seq >= start && place.seq <= end && !alone.has(place));
}

/** The marker as it will be, but for what it says. */
function draftOf(seqs: SeqRange, seq: number): Place {
  return { seq, event: markerEvent([], seqs, { role: 'user', parts: [{ text: 'draft' }] }, 0) };
}

/** What is told again stands among what was shown before, of which only the replaced is told. */
function inOrder(again: readonly Place[], shown: readonly Place[], told: ReadonlySet<Place>): Event[] {
  const inserted = [...again];
  const events: Event[] = [];
  for (const place of shown) {
    while (!isMarker(place.event) && (inserted[0]?.seq ?? Infinity) < place.seq)
      events.push(...firstOf(inserted));
    if (told.has(place)) events.push(place.event);
  }
  return [...events, ...inserted.map(({ event }) => event)];
}

function firstOf(places: Place[]): Event[] {
  return places.splice(0, 1).map(({ event }) => event);
}

/** What is known of one invocation. */
interface Stretch {
  readonly start: number;
  last: Event;
  hasOpenCall: boolean;
}

/**
 * The place before the invocations at the end of a conversation that are not done: they pause, or were left in the
 * middle, or another process is at them. An older one that was left so holds nothing up.
 */
function settledEnd(places: readonly Place[]): number {
  let end = places.at(-1)?.seq ?? -1;
  for (const stretch of stretchesOf(places).reverse()) {
    if (isSettled(stretch)) break;
    end = Math.min(end, stretch.start - 1);
  }
  return end;
}

/** In the order in which they began. */
function stretchesOf(places: readonly Place[]): Stretch[] {
  const open = unfinishedCalls(
    places.map(({ event }) => event),
    () => true,
  );
  const stretches = new Map<string, Stretch>();
  for (const [index, { seq, event }] of places.entries()) {
    const stretch = stretches.get(event.invocationId) ?? { start: seq, last: event, hasOpenCall: false };
    stretches.set(event.invocationId, stretch);
    stretch.last = event;
    stretch.hasOpenCall ||= open.has(index);
  }
  return [...stretches.values()];
}

function isSettled({ last, hasOpenCall }: Stretch): boolean {
  return !hasOpenCall && last.author !== 'user' && isFinalResponse(last);
}
