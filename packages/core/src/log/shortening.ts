import type { Content, FunctionResponse, Part } from '../events/genai-types.js';
import { Event } from '../events/event.js';
import { newInvocationId } from '../runtime/ids.js';
import { sizeOfValue } from './content-size.js';
import type { LogEntry } from './effective-events.js';
import { READ_RESULT, readingHint } from './long-result.js';

/**
 * Key of a compaction event's custom metadata: what models no longer read of earlier events. Such an event has an empty
 * summary, so it covers nothing: the events stay in the conversation, and in the log as they were.
 */
export const SHORTENED = 'adorn:shortened';

/** A result of which models read less than there is. */
export interface ShortenedResult {
  /** The sequence number of the event with the response. */
  readonly seq: number;
  /** The id of the call. */
  readonly id: string;
  /** How many characters of its beginning are still read; 0 for none. */
  readonly keep: number;
  /** True if the model may call the tool again to see it: the tool only reads. */
  readonly again?: boolean;
}

/** What an event takes out of requests to models. */
export interface Shortening {
  /** The shortened results; may be empty. */
  readonly results: readonly ShortenedResult[];
  /** Thoughts of events up to this sequence number are no longer read. Default: none. */
  readonly thoughtsTo?: number;
}

/** The run that continues after a shortening, and the path of its agent. */
export interface ShorteningRun {
  /** The invocation that the event is part of. */
  readonly invocationId: string;
  /** The path of the agent whose request is shortened. */
  readonly path: string;
}

/** Creates the event that takes results and thoughts out of requests. A rewind undoes it with its run. */
export function shorteningEvent(shortening: Shortening, timestamp: number, run?: ShorteningRun): Event {
  const compaction = { startTimestamp: 0, endTimestamp: 0, compactedContent: { role: 'user', parts: [] } };
  return new Event(
    { author: 'user', actions: { compaction }, customMetadata: { [SHORTENED]: shortening } },
    run
      ? { invocationId: run.invocationId, nodeInfo: { path: run.path }, timestamp }
      : { invocationId: newInvocationId(), timestamp },
  );
}

/** What an event takes out of requests; undefined for any other event. Trusts no field. */
export function shorteningOf({ actions, customMetadata }: Event): Shortening | undefined {
  const stated = actions.compaction && customMetadata?.[SHORTENED];
  if (typeof stated !== 'object' || stated === null) return undefined;
  const { results, thoughtsTo } = stated as { readonly [Name in keyof Shortening]?: unknown };
  return {
    results: Array.isArray(results) ? (results as unknown[]).filter(isShortenedResult) : [],
    ...(Number.isInteger(thoughtsTo) && { thoughtsTo: thoughtsTo as number }),
  };
}

function isShortenedResult(value: unknown): value is ShortenedResult {
  const { seq, id, keep } = Object(value) as { readonly [Name in keyof ShortenedResult]?: unknown };
  return Number.isInteger(seq) && typeof id === 'string' && Number.isInteger(keep);
}

/** What models do not read of one event. */
export interface Cut {
  /** The shortened results of the event, by the ids of their calls. */
  readonly results: ReadonlyMap<string, ShortenedResult>;
  readonly withoutThoughts: boolean;
}

const NO_RESULTS: ReadonlyMap<string, ShortenedResult> = new Map();

/** What models do not read of the events of a conversation; undefined if they read all. A later shortening decides. */
export function cutsOf(entries: readonly LogEntry[]): ReadonlyMap<Event, Cut> | undefined {
  const shortenings = entries.map(({ event }) => shorteningOf(event)).filter((one) => one !== undefined);
  if (shortenings.length === 0) return undefined;
  const thoughtsTo = Math.max(-1, ...shortenings.map((one) => one.thoughtsTo ?? -1));
  const bySeq = new Map<number, Map<string, ShortenedResult>>();
  for (const result of shortenings.flatMap(({ results }) => results)) {
    const ofEvent = bySeq.get(result.seq) ?? new Map<string, ShortenedResult>();
    bySeq.set(result.seq, ofEvent.set(result.id, result));
  }
  const cuts = new Map<Event, Cut>();
  for (const { event, seq } of entries) {
    const results = bySeq.get(seq) ?? NO_RESULTS;
    const withoutThoughts = seq <= thoughtsTo && event.content?.parts?.some(isThought) === true;
    if (results.size > 0 || withoutThoughts) cuts.set(event, { results, withoutThoughts });
  }
  return cuts;
}

/**
 * A content without what was taken out of it. Calls keep their responses, with a note of what is missing.
 *
 * @param canRead true if the agent has the tool that reads results: the notes say how
 */
export function shortenedContent(
  content: Content,
  { results, withoutThoughts }: Cut,
  canRead: boolean,
): Content {
  const { parts = [] } = content;
  const kept = withoutThoughts ? parts.filter((part) => !isThought(part)).map(withoutMetadata) : parts;
  return { ...content, parts: kept.map((part) => shortenedPart(part, results, canRead)) };
}

/** True if the model is told to read a shortened result, and not to call its tool again. */
export function isReadLater({ keep, again }: ShortenedResult): boolean {
  return keep > 0 || again !== true;
}

function isThought({ thought }: Part): boolean {
  return thought === true;
}

/** Providers tie the parts of an answer to its thoughts, and refuse the ones without the others. */
function withoutMetadata({ partMetadata: _tie, ...part }: Part): Part {
  return part;
}

function shortenedPart(part: Part, results: ReadonlyMap<string, ShortenedResult>, canRead: boolean): Part {
  const { functionResponse } = part;
  const cut = results.get(functionResponse?.id ?? '');
  if (!functionResponse || !cut) return part;
  const { parts: _files, ...response } = functionResponse;
  return {
    ...part,
    functionResponse: { ...response, response: shortenedResponse(functionResponse, cut, canRead) },
  };
}

function shortenedResponse(
  given: FunctionResponse,
  cut: ShortenedResult,
  canRead: boolean,
): Record<string, unknown> {
  const { response = {} } = given;
  const { keep } = cut;
  const what = `This result of about ${String(sizeOfValue(response))} bytes was ${keep > 0 ? 'cut' : 'left out'}`;
  const note = `${what}, because the conversation had grown long.${cureOf(given, cut, canRead)}`;
  return keep > 0
    ? { result: textBeginning(textOfResponse(response), keep), truncated: true, note }
    : { note };
}

function cureOf(given: FunctionResponse, cut: ShortenedResult, canRead: boolean): string {
  const { name = '' } = given;
  if (!isReadLater(cut)) return ` Call ${name} again with the same arguments if you need it.`;
  if (name === READ_RESULT) return ' Call it again with a smaller length.';
  return canRead ? readingHint(given) : '';
}

/** A result as a text: a text under `result` as it is, anything else as JSON. */
export function textOfResponse(response: Readonly<Record<string, unknown>>): string {
  const { result, ...others } = response;
  return typeof result === 'string' && Object.keys(others).length === 0 ? result : JSON.stringify(response);
}

/** The beginning of a text, which does not end within a character. */
export function textBeginning(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isSplit = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isSplit ? length - 1 : length);
}
