import { functionCallsOf, functionResponsesOf } from '../events/content-parts.js';
import type { Content, FunctionResponse, Part } from '../events/genai-types.js';
import { Event } from '../events/event.js';
import { answersCalls, isRequestName, requestsOf } from '../events/pending-request.js';
import { newInvocationId } from '../runtime/ids.js';
import type { LogEntry } from './effective-events.js';

/** A compaction event, whose summary replaces earlier events. Reads logs of other ADKs too, so it trusts no field. */
export class CompactionEvent {
  private constructor(
    readonly entry: LogEntry,
    /** The covered sequence numbers; undefined if the event only gives times. */
    readonly seqs: SeqRange | undefined,
    private readonly times: SeqRange,
  ) {}

  /** Undefined for any other event, and if the summary is empty: it covers nothing then. */
  static of(entry: LogEntry): CompactionEvent | undefined {
    const { compaction } = entry.event.actions;
    if (!compaction || !summaryContent(compaction.compactedContent)) return undefined;
    const times = { start: compaction.startTimestamp, end: compaction.endTimestamp };
    return new CompactionEvent(entry, readSeqs(entry.event), times);
  }

  /** True if an event is within the covered range. Events after the compaction event never are. */
  spans({ seq, event }: LogEntry): boolean {
    const { entry, seqs, times } = this;
    if (seq >= entry.seq) return false;
    return seqs ? isWithin(seqs, seq) : isWithin(times, event.timestamp);
  }

  /** True if this range contains the other's; false if unknown. */
  contains({ seqs, times, entry }: CompactionEvent): boolean {
    if (seqs && this.seqs)
      return isWithin(this.seqs, seqs.start) && isWithin(this.seqs, Math.min(seqs.end, entry.seq));
    if (seqs || this.seqs) return false;
    return isWithin(this.times, times.start) && isWithin(this.times, times.end);
  }

  /** True if the range includes events before the given one, which were not loaded. */
  reachesBefore({ seq, event }: LogEntry): boolean {
    return this.seqs ? this.seqs.start < seq : this.times.start < event.timestamp;
  }
}

/** True for every event with a compaction, readable or not. Models never see it as an event. */
export function isCompaction({ actions }: Event): boolean {
  return actions.compaction !== undefined;
}

function readSeqs({ customMetadata }: Event): SeqRange | undefined {
  const { start, end } = (customMetadata?.[COVERED_SEQS] ?? {}) as Partial<Record<keyof SeqRange, unknown>>;
  return Number.isInteger(start) && Number.isInteger(end)
    ? { start: start as number, end: end as number }
    : undefined;
}

function isWithin({ start, end }: SeqRange, value: number): boolean {
  return start <= value && value <= end;
}

/**
 * Key of a compaction event's custom metadata: the range of sequence numbers that it covers. Not a field of
 * `EventCompaction`, because the ADK's readers refuse a fourth field there.
 */
export const COVERED_SEQS = 'adorn:coveredSeqs';

/** Sequence numbers of a log, both ends included. */
export interface SeqRange {
  /** The first one. */
  readonly start: number;
  /** The last one. */
  readonly end: number;
}

/**
 * Creates the event by which a summary replaces events.
 *
 * @param covered the events that no earlier summary covers; they give the times of the summary
 * @param seqs the range that the summary covers
 *
 * @param run the run that continues after it, and the path of its agent. Default: none; the event then has an invocation of its own, so that a
 * rewind can undo it
 */
export function compactionEvent(
  covered: readonly LogEntry[],
  seqs: SeqRange,
  compactedContent: Content,
  timestamp: number,
  run?: { readonly invocationId: string; readonly path: string },
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

/** Stands, in the place of a summary, for a conversation that had to become shorter and could not be summarised. */
export function leftOut(): Content {
  const text = '(It had grown too long, and was left out. Ask the user for what is missing.)';
  return { role: 'user', parts: [{ text: `${SUMMARY_HEADING}\n${text}` }] };
}

/** The heading of a summary, so that no model takes it for the user's words. */
export const SUMMARY_HEADING = '[Summary of earlier conversation]';

/**
 * A summary as a model sees it: a content of the role `user` under a heading. Calls and responses are left out, because
 * a model takes neither without the other. Undefined if nothing remains.
 */
export function summaryContent({ parts = [] }: Content): Content | undefined {
  const shown = parts.filter(isShown);
  if (shown.length === 0) return undefined;
  const isHeaded = shown[0]?.text?.startsWith(SUMMARY_HEADING) === true;
  return { role: 'user', parts: isHeaded ? shown : [{ text: SUMMARY_HEADING }, ...shown] };
}

function isShown({ text, thought, functionCall, functionResponse }: Part): boolean {
  if (thought === true || functionCall || functionResponse) return false;
  return text?.trim() !== '';
}

/** Undefined for a call logged without an id: a response without an id answers it. */
export type CallId = string | undefined;

/** A conversation with summaries in place of the events that they cover. */
interface CompactedView {
  /** Events that are not covered, and the compaction events whose summaries replace the others, in order. */
  readonly shown: readonly LogEntry[];
  /** Ids of the covered calls. A later answer to one of them makes its events visible again. */
  readonly coveredCalls: ReadonlySet<CallId>;
}

const NO_CALLS: ReadonlySet<CallId> = new Set();

/**
 * Applies the compaction events among effective events: each event belongs to the newest compaction whose range
 * includes it, and is covered unless it belongs to an unfinished call.
 *
 * @param isWhole whether the first entry is the log's first; if not, a compaction may cover events that were not loaded
 */
export function compactedView(entries: readonly LogEntry[], isWhole = true): CompactedView {
  const events = entries.filter(({ event }) => !isCompaction(event));
  const compactions = events.length === entries.length ? [] : outermost(entries);
  if (compactions.length === 0) return { shown: events, coveredCalls: NO_CALLS };
  const owners = ownersOf(events, compactions);
  const held = unfinishedCalls(
    events.map(({ event }) => event),
    (index) => owners[index] !== undefined,
  );
  const isCovered = (index: number): boolean => owners[index] !== undefined && !held.has(index);
  const [first] = entries;
  const before = isWhole || !first ? [] : compactions.filter((compaction) => compaction.reachesBefore(first));
  return {
    shown: laidOut(events, owners, isCovered, before),
    coveredCalls: coveredCallsOf(events, isCovered),
  };
}

/** The effective events of a whole log as models see them: summaries in place of the events that they cover. */
export function shownEntries(entries: readonly LogEntry[]): readonly LogEntry[] {
  return compactedView(entries).shown;
}

/** The compactions that no newer one contains, newest first. */
function outermost(entries: readonly LogEntry[]): CompactionEvent[] {
  const found: CompactionEvent[] = [];
  for (const entry of [...entries].reverse()) {
    const compaction = CompactionEvent.of(entry);
    if (compaction && !found.some((newer) => newer.contains(compaction))) found.push(compaction);
  }
  return found;
}

/** Puts each summary that covers an event where the first event of its range is. */
function laidOut(
  events: readonly LogEntry[],
  owners: readonly (CompactionEvent | undefined)[],
  isCovered: (index: number) => boolean,
  before: readonly CompactionEvent[],
): LogEntry[] {
  const covering = new Set(owners.filter((_owner, index) => isCovered(index)));
  const shown = [...before].reverse().map(({ entry }) => entry);
  const added = new Set<CompactionEvent | undefined>(before);
  for (const [index, entry] of events.entries()) {
    const owner = owners[index];
    if (owner && covering.has(owner) && !added.has(owner)) {
      added.add(owner);
      shown.push(owner.entry);
    }
    if (!isCovered(index)) shown.push(entry);
  }
  return shown;
}

function coveredCallsOf(events: readonly LogEntry[], isCovered: (index: number) => boolean): Set<CallId> {
  const calls = new Set<CallId>();
  for (const [index, { event }] of events.entries()) {
    for (const { id } of functionCallsOf(event.content)) {
      if (isCovered(index)) calls.add(id);
      else calls.delete(id);
    }
  }
  return calls;
}

/**
 * For each event, the newest compaction whose range includes it.
 *
 * @param compactions newest first
 */
function ownersOf(
  events: readonly LogEntry[],
  compactions: readonly CompactionEvent[],
): (CompactionEvent | undefined)[] {
  const owners = new Array<CompactionEvent | undefined>(events.length).fill(undefined);
  for (const compaction of compactions) {
    const { seqs, entry } = compaction;
    const start = seqs ? indexOfSeq(events, seqs.start) : 0;
    const end = indexOfSeq(events, seqs ? Math.min(seqs.end + 1, entry.seq) : entry.seq);
    for (const [offset, event] of events.slice(start, end).entries())
      if (seqs || compaction.spans(event)) owners[start + offset] ??= compaction;
  }
  return owners;
}

/** The index of the first event with at least this sequence number. */
function indexOfSeq(events: readonly LogEntry[], seq: number): number {
  let low = 0;
  for (let high = events.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The calls of one event, or one request to a person, and all events that answer them. */
interface Batch {
  /** Indexes of events, the event with the calls first. */
  readonly events: number[];
  /** Ids without a final answer. */
  readonly open: Set<string>;
}

/**
 * The events that a summary must not cover: events of calls without a final answer, and of calls whose events are not
 * all within the covered range. So a call and its responses stay together, and open requests can still be answered.
 *
 * @param isSpanned whether the event at an index is within the covered range
 * @returns indexes of the events
 */
export function unfinishedCalls(
  events: readonly Event[],
  isSpanned: (index: number) => boolean,
): ReadonlySet<number> {
  const batches = batchesOf(events);
  const isUnfinished = ({ open, events: own }: Batch): boolean => open.size > 0 || !own.every(isSpanned);
  const held = new Set<number>();
  const unfinished = new Set([...batches.values()].flat().filter(isUnfinished));
  // The set grows while it is iterated.
  for (const batch of unfinished) {
    for (const index of batch.events) {
      held.add(index);
      for (const other of batches.get(index) ?? []) unfinished.add(other);
    }
  }
  return held;
}

/** The batches of each event: an event may answer calls of several. */
function batchesOf(events: readonly Event[]): Map<number, Batch[]> {
  const byEvent = new Map<number, Batch[]>();
  const byCall = new Map<string, Batch>();
  for (const [index, event] of events.entries()) {
    const begun = [...callsOf(event, index, byCall), ...requestsIn(event, index, byCall)];
    const responses = answersCalls(event) ? functionResponsesOf(event.content) : [];
    const continued = responses.flatMap((response) => settle(response, event.author, byCall));
    for (const batch of continued) batch.events.push(index);
    byEvent.set(index, [...begun, ...continued]);
  }
  return byEvent;
}

function callsOf({ content }: Event, index: number, byCall: Map<string, Batch>): Batch[] {
  if (content?.role === 'user') return [];
  const calls = functionCallsOf(content).filter(({ name }) => !isRequestName(name));
  if (calls.length === 0) return [];
  const batch = { events: [index], open: new Set(calls.map(({ id = '' }) => id)) };
  for (const id of batch.open) byCall.set(id, batch);
  return [batch];
}

/** Requests to a person. They are answered under their own id or under the id of the call. */
function requestsIn(event: Event, index: number, byCall: Map<string, Batch>): Batch[] {
  const requests = requestsOf(event).filter(({ kind }) => kind !== 'result');
  return requests.map(({ id, functionCallId }) => {
    const batch = { events: [index], open: new Set([id]) };
    byCall.set(requestKey(id), batch);
    byCall.set(requestKey(functionCallId), batch);
    return batch;
  });
}

function settle(
  { id = '', name, willContinue }: FunctionResponse,
  author: string,
  byCall: ReadonlyMap<string, Batch>,
): Batch[] {
  const isAnswer = isRequestName(name);
  const batch = byCall.get(isAnswer ? requestKey(id) : id);
  if (!batch || (isAnswer && author !== 'user')) return [];
  if (isAnswer) batch.open.clear();
  else if (willContinue !== true) batch.open.delete(id);
  return [batch];
}

function requestKey(id: string): string {
  return `request ${id}`;
}
