import type { Event, Session } from '@adorn/core';
import {
  beginsTurn,
  compactionEvent,
  type CompactionRules,
  effectiveEntries,
  lastCompletedSeq,
  type LogEntry,
  logOf,
  type SeqRange,
  shownEntries,
  sinceLastSummary,
} from '@adorn/core/backend';

/** Why a summary is due. */
export type CompactionReason = 'tokens' | 'interval';

/** The threshold is checked before the interval. Undefined if no summary is due. */
export function compactionReason(
  session: Session,
  { threshold, interval }: CompactionRules,
): CompactionReason | undefined {
  const { promptTokens = 0, runs } = sinceLastSummary(session);
  if (threshold && promptTokens >= threshold.tokens) return 'tokens';
  return interval && runs >= interval.runs ? 'interval' : undefined;
}

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
  const reason = compactionReason(session, rules);
  if (reason === undefined) return undefined;
  const entries = effectiveEntries(session);
  const completed = lastCompletedSeq(entries.filter((entry) => !isSummary(entry)));
  const seqs = rangeOf(eventsOf(entries), reason, rules, {
    completed,
    covered: sinceLastSummary(session).coveredEnd,
  });
  return seqs && planOf(session, entries, seqs, reason);
}

/**
 * The plan for a run in progress: covers the conversation before it, else its own events after its message. Undefined
 * if the threshold is not reached, or if there is nothing to cover.
 */
export function planWithinRun(session: Session, rules: CompactionRules): CompactionPlan | undefined {
  if (compactionReason(session, rules) !== 'tokens') return undefined;
  const before = planCompaction(session, rules);
  if (before) return before;
  return planOfRun(session, effectiveEntries(session), rules.threshold?.retention ?? 0);
}

/**
 * The plan for a conversation that has grown too long: covers all that is completed, else what the run itself did before
 * its last step. Undefined if there is nothing more to cover.
 *
 * @param withinRun false for an agent beside others, whose events the plan must not cover
 */
export function planForLength(
  session: Session,
  { withinRun }: { readonly withinRun: boolean },
): CompactionPlan | undefined {
  const entries = effectiveEntries(session);
  const events = eventsOf(entries);
  const completed = lastCompletedSeq(entries.filter((entry) => !isSummary(entry)));
  const end = Math.min(completed, events.at(-1)?.seq ?? -1);
  const before = end < 0 ? undefined : planOf(session, entries, { start: 0, end }, 'tokens');
  if (before || !withinRun) return before;
  return planOfRun(session, entries, LAST_STEP);
}

/** The events of the last step of a run: the calls, and their responses. */
const LAST_STEP = 2;

function planOfRun(
  session: Session,
  entries: readonly LogEntry[],
  retention: number,
): CompactionPlan | undefined {
  const events = eventsOf(entries);
  const start = (events.findLast(({ event }) => beginsTurn(event))?.seq ?? -1) + 1;
  const end = events[events.length - 1 - retention]?.seq ?? -1;
  return end < start ? undefined : planOf(session, entries, { start, end }, 'tokens');
}

function eventsOf(entries: readonly LogEntry[]): LogEntry[] {
  return entries.filter((entry) => !isSummary(entry) && hasContent(entry));
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
  const before = shownEntries(entries);
  const stays = new Set(shownEntries([...entries, draftOf(seqs, session.nextSeq)]));
  const replaced = before.filter((entry) => !stays.has(entry) && hasContent(entry));
  const covered = replaced.filter((entry) => !isSummary(entry));
  if (covered.length === 0) return undefined;
  const repeated = reason === 'tokens' ? [] : overlapOf(eventsOf(entries), seqs, before);
  return {
    events: inOrder(repeated, before, new Set(replaced)),
    covered,
    seqs,
    last: { seq: session.nextSeq - 1, event: last },
  };
}

function hasContent(entry: LogEntry): boolean {
  return entry.event.content !== undefined || isSummary(entry);
}

function isSummary({ event }: LogEntry): boolean {
  return event.actions.compaction !== undefined;
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
    while (!isSummary(entry) && (inserted[0]?.seq ?? Infinity) < entry.seq) events.push(...firstOf(inserted));
    if (replaced.has(entry)) events.push(entry.event);
  }
  return [...events, ...inserted.map(({ event }) => event)];
}

function firstOf(entries: LogEntry[]): Event[] {
  return entries.splice(0, 1).map(({ event }) => event);
}
