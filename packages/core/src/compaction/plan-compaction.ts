import { runPathOf } from '../events/event-place.js';
import { type Event, isFinalResponse } from '../events/event.js';
import { logOf, type Session } from '../events/session.js';
import { compactedView, isCompaction, type SeqRange, unfinishedCalls } from '../log/compaction-event.js';
import { effectiveEntries, type LogEntry } from '../log/effective-events.js';
import { beginsTurn } from '../log/invocation-chains.js';
import { compactionEvent, type CompactionReason, CompactionTracker } from './append-compaction.js';
import type { CompactionRules } from './events-compaction-config.js';

/** The events to summarise, and the range that the summary will cover. */
export interface CompactionPlan {
  /** The events given to the summarizer. */
  readonly events: readonly Event[];
  /** The events that no earlier summary covers. */
  readonly covered: readonly LogEntry[];
  readonly seqs: SeqRange;
  /** The last event of the log when the plan was made. */
  readonly last: LogEntry;
}

/** Undefined if no summary is due, or if there is nothing to cover. */
export function planCompaction(session: Session, rules: CompactionRules): CompactionPlan | undefined {
  const tracker = CompactionTracker.of(session);
  const reason = tracker.reason(rules);
  if (reason === undefined) return undefined;
  const entries = effectiveEntries(session);
  const completed = lastCompletedSeq(entries.filter(({ event }) => !isCompaction(event)));
  const seqs = rangeOf(eventsOf(entries), reason, rules, { completed, covered: tracker.coveredEnd });
  return seqs && planOf(session, entries, seqs, reason);
}

/**
 * The plan for a run in progress: covers the conversation before it, else its own events after its message. Undefined
 * if the threshold is not reached, or if there is nothing to cover.
 */
export function planWithinRun(session: Session, rules: CompactionRules): CompactionPlan | undefined {
  if (CompactionTracker.of(session).reason(rules) !== 'tokens') return undefined;
  const before = planCompaction(session, rules);
  if (before) return before;
  const entries = effectiveEntries(session);
  const events = eventsOf(entries);
  const start = (events.findLast(({ event }) => beginsTurn(event))?.seq ?? -1) + 1;
  const end = events[events.length - 1 - (rules.threshold?.retention ?? 0)]?.seq ?? -1;
  return end < start ? undefined : planOf(session, entries, { start, end }, 'tokens');
}

function eventsOf(entries: readonly LogEntry[]): LogEntry[] {
  return entries.filter((entry) => !isCompaction(entry.event) && hasContent(entry));
}

/** The plan for a range; undefined if all of its events are covered already or cannot be covered. */
function planOf(
  session: Session,
  entries: readonly LogEntry[],
  seqs: SeqRange,
  reason: CompactionReason,
): CompactionPlan | undefined {
  const last = logOf(session).at(-1);
  if (!last) return undefined;
  const before = compactedView(entries).shown;
  const stays = new Set(compactedView([...entries, draftOf(seqs, session.nextSeq)]).shown);
  const replaced = before.filter((entry) => !stays.has(entry) && hasContent(entry));
  const covered = replaced.filter(({ event }) => !isCompaction(event));
  if (covered.length === 0) return undefined;
  const repeated = reason === 'tokens' ? [] : overlapOf(eventsOf(entries), seqs, before);
  return {
    events: inOrder(repeated, before, new Set(replaced)),
    covered,
    seqs,
    last: { seq: session.nextSeq - 1, event: last },
  };
}

function hasContent({ event }: LogEntry): boolean {
  return event.content !== undefined || isCompaction(event);
}

/** The range to cover; undefined if it is empty. */
function rangeOf(
  events: readonly LogEntry[],
  reason: CompactionReason,
  { threshold, interval }: CompactionRules,
  { completed, covered }: { readonly completed: number; readonly covered: number },
): SeqRange | undefined {
  const isTokens = reason === 'tokens';
  const kept = isTokens ? (threshold?.retention ?? 0) : 0;
  const end = Math.min(completed, events[events.length - 1 - kept]?.seq ?? -1);
  const fresh = events.findIndex(({ seq }) => seq > covered);
  const start = isTokens ? 0 : events[Math.max(0, fresh - (interval?.overlap ?? 0))]?.seq;
  return fresh === -1 || start === undefined || end < start ? undefined : { start, end };
}

/** Events that an earlier summary covers and this one repeats, so that the two connect. */
function overlapOf(
  events: readonly LogEntry[],
  { start, end }: SeqRange,
  shown: readonly LogEntry[],
): LogEntry[] {
  const visible = new Set(shown);
  return events.filter((entry) => entry.seq >= start && entry.seq <= end && !visible.has(entry));
}

/** The compaction event as it will be, with a placeholder for the summary. */
function draftOf(seqs: SeqRange, seq: number): LogEntry {
  return { seq, event: compactionEvent([], seqs, { role: 'user', parts: [{ text: 'draft' }] }, 0) };
}

/** The repeated events and the replaced ones, in the order of the log. */
function inOrder(
  repeated: readonly LogEntry[],
  shown: readonly LogEntry[],
  replaced: ReadonlySet<LogEntry>,
): Event[] {
  const inserted = [...repeated];
  const events: Event[] = [];
  for (const entry of shown) {
    while (!isCompaction(entry.event) && (inserted[0]?.seq ?? Infinity) < entry.seq)
      events.push(...firstOf(inserted));
    if (replaced.has(entry)) events.push(entry.event);
  }
  return [...events, ...inserted.map(({ event }) => event)];
}

function firstOf(entries: LogEntry[]): Event[] {
  return entries.splice(0, 1).map(({ event }) => event);
}

/** The events of one invocation. */
interface InvocationSpan {
  readonly start: number;
  last: Event;
  hasOpenCall: boolean;
}

/**
 * The last sequence number before the incomplete invocations at the end of a conversation: paused, interrupted, or
 * still running elsewhere. An older incomplete invocation does not delay a summary.
 */
function lastCompletedSeq(entries: readonly LogEntry[]): number {
  let end = entries.at(-1)?.seq ?? -1;
  for (const span of spansOf(entries).reverse()) {
    if (isCompleted(span)) break;
    end = Math.min(end, span.start - 1);
  }
  return end;
}

/** The invocations, in the order in which they began. */
function spansOf(entries: readonly LogEntry[]): InvocationSpan[] {
  const open = unfinishedCalls(
    entries.map(({ event }) => event),
    () => true,
  );
  const spans = new Map<string, InvocationSpan>();
  for (const [index, { seq, event }] of entries.entries()) {
    const span = spans.get(event.invocationId) ?? { start: seq, last: event, hasOpenCall: false };
    spans.set(event.invocationId, span);
    span.last = event;
    span.hasOpenCall ||= open.has(index);
  }
  return [...spans.values()];
}

/** The recorded end of a run counts if it is that of the root: after the end of a run below it, the root goes on. */
function isCompleted({ last, hasOpenCall }: InvocationSpan): boolean {
  if (hasOpenCall || last.author === 'user') return false;
  return last.actions.endOfAgent === true ? isOfRoot(last) : isFinalResponse(last);
}

function isOfRoot(event: Event): boolean {
  return runPathOf(event)?.includes('/') !== true;
}
