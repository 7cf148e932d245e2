import { estimateTokens, tokensOfLength } from '@adorn/schema';
import { toUserContent, type Message } from '../events/content-parts.js';
import { Event } from '../events/event.js';
import type { Content, FunctionDeclaration } from '../events/genai-types.js';
import type { Session } from '../events/session.js';
import { isCompaction } from '../log/compaction-event.js';
import { sizeOfContent } from '../log/content-size.js';
import { effectiveEntries, type LogEntry } from '../log/effective-events.js';
import { beginsTurn } from '../log/invocation-chains.js';
import { READ_RESULT } from '../log/long-result.js';
import { newInvocationId } from '../runtime/ids.js';
import { ownState, type SessionRecord, type StateUpdate } from '../stores/sessions/session-record.js';
import type { ExplainInput, Explanation } from './explain.js';
import { stateAfter } from './recover/fork.js';

/** One part of two requests, in the order in which providers read them. In tokens, estimated from its length. */
export interface ComparedPart {
  /** Which part, in the order in which providers read them. */
  readonly part: 'tools' | 'instruction' | 'conversation';
  /** Its tokens in the request before. */
  readonly before: number;
  /** Its tokens in the request of the message. */
  readonly after: number;
  /** What both begin with: 0 behind a part that differs. */
  readonly shared: number;
}

/** Where a request first differs from the one before it. */
export interface CacheDifference {
  /** The first part in which the requests differ. */
  readonly part: ComparedPart['part'];
  /** A clause that says why. */
  readonly cause: string;
  /** What the request before has there, shortened; empty if it ends. */
  readonly before: string;
  /** What the request of the message has there, shortened; empty if it ends. */
  readonly after: string;
}

/** Two requests of a conversation side by side: a provider bills what both begin with at about a tenth. */
export interface CacheExplanation {
  /** The first request of the turn before. */
  readonly before: Explanation;
  /** The first request of the message. */
  readonly after: Explanation;
  /** Tools, instruction and conversation, with what both begin with. */
  readonly parts: readonly ComparedPart[];
  /** Absent if the request begins with all of the one before that a later request can begin with. */
  readonly difference?: CacheDifference | undefined;
}

/** The message with which the last turn of a conversation began; undefined if there is none. */
export function lastTurn(session: Session): LogEntry | undefined {
  return effectiveEntries(session).findLast(({ event }) => beginsTurn(event));
}

/** The conversation as it was before a turn. */
export function recordBefore(
  session: Session,
  turn: LogEntry,
  updates: readonly StateUpdate[],
): SessionRecord {
  const events = session.events.slice(0, session.events.indexOf(turn.event));
  const stateUpdates = updates.filter(({ seq }) => seq <= events.length);
  return { events, state: stateAfter(events, stateUpdates), stateUpdates };
}

/** A new conversation in which a message was answered. */
export function answeredOnce(message: Message, path: string): SessionRecord {
  const made = { invocationId: newInvocationId(), timestamp: 0 };
  const author = path.split('/').at(-1) ?? path;
  const content = { role: 'model', parts: [{ text: 'Yes.' }] };
  const events = [
    new Event({ author: 'user', content: toUserContent(message) }, made),
    new Event({ author, content, turnComplete: true }, made),
  ];
  return { events, state: {} };
}

/** The message of a turn, to be explained again. */
export function messageOf({ event }: LogEntry): Pick<ExplainInput, 'message' | 'stateDelta'> {
  const parts = event.content?.parts?.filter(({ functionResponse }) => functionResponse === undefined);
  return { message: { ...event.content, parts }, stateDelta: ownState(event.actions.stateDelta) };
}

/** True if the conversation was summarised or shortened after a turn began. */
export function isSummarisedSince(session: Session, { seq }: LogEntry): boolean {
  return effectiveEntries(session).some((entry) => entry.seq > seq && isCompaction(entry.event));
}

/** Compares the first request of a turn with that of the turn before. */
export function compareRequests(
  before: Explanation,
  after: Explanation,
  { isSummarised }: { readonly isSummarised: boolean },
): CacheExplanation {
  const tools = comparedTools(before, after);
  const instruction = comparedInstruction(before, after);
  const conversation = comparedConversation(before, after, isSummarised);
  const parts: ComparedPart[] = [];
  let difference: CacheDifference | undefined;
  for (const one of [tools, instruction, conversation]) {
    parts.push(difference ? { ...one.sizes, shared: 0 } : one.sizes);
    difference ??= one.difference;
  }
  return { before, after, parts, difference };
}

interface Compared {
  readonly sizes: ComparedPart;
  readonly difference: CacheDifference | undefined;
}

function comparedTools(before: Explanation, after: Explanation): Compared {
  const [old, now] = [toolsOf(before), toolsOf(after)];
  const at = firstDifference(old, now);
  const sum = (texts: readonly string[]): number =>
    texts.reduce((all, text) => all + estimateTokens(text), 0);
  const sizes = { part: 'tools', before: sum(old), after: sum(now), shared: sum(old.slice(0, at)) } as const;
  if (at === old.length && at === now.length) return { sizes, difference: undefined };
  const cause = causeOfTools(before, after);
  const shown = { before: excerpt(old[at] ?? '', 0), after: excerpt(now[at] ?? '', 0) };
  return { sizes, difference: { part: 'tools', cause, ...shown } };
}

function toolsOf({ config }: Explanation): string[] {
  return declarationsOf(config).map((one) => JSON.stringify(one));
}

function declarationsOf({ tools = [] }: Explanation['config']): object[] {
  return (tools as readonly object[]).flatMap((entry): object[] =>
    'functionDeclarations' in entry ? (entry.functionDeclarations as FunctionDeclaration[]) : [entry],
  );
}

function causeOfTools(before: Explanation, after: Explanation): string {
  if (before.agent !== after.agent)
    return `the agent ${after.agent} answers, and before it ${before.agent}, which has its own tools and instruction`;
  const [old, now] = [namesOf(before), namesOf(after)];
  const added = [...now].filter((name) => !old.has(name));
  const removed = [...old].filter((name) => !now.has(name));
  if (added.includes(READ_RESULT))
    return `results were cut, and ${READ_RESULT} was added to the tools to read them`;
  if (added.length > 0) return `tools were added, such as by a toolbox that was opened: ${added.join(', ')}`;
  return removed.length > 0
    ? `tools were removed: ${removed.join(', ')}`
    : 'the tools were declared otherwise';
}

function namesOf({ config }: Explanation): Set<string> {
  return new Set(
    declarationsOf(config).flatMap((one) => ('name' in one ? String(one.name) : Object.keys(one))),
  );
}

function comparedInstruction(before: Explanation, after: Explanation): Compared {
  const [old, now] = [instructionOf(before), instructionOf(after)];
  const at = commonLength(old, now);
  const sizes = {
    part: 'instruction',
    before: estimateTokens(old),
    after: estimateTokens(now),
    shared: estimateTokens(now.slice(0, at)),
  } as const;
  if (old === now) return { sizes, difference: undefined };
  const cause = causeOfInstruction(before, after, at);
  return {
    sizes,
    difference: { part: 'instruction', cause, before: excerpt(old, at), after: excerpt(now, at) },
  };
}

function instructionOf({ config: { systemInstruction: text } }: Explanation): string {
  if (text === undefined) return '';
  return typeof text === 'string' ? text : JSON.stringify(text);
}

function causeOfInstruction(before: Explanation, after: Explanation, at: number): string {
  if (before.agent !== after.agent) return `the agent ${after.agent} answers, and before it ${before.agent}`;
  const { stable, changing = [] } = after;
  if (changing.length === 0 || (stable && at < stable.instruction))
    return 'a callback or a plugin changed it';
  return `it is filled from ${[...new Set(changing)].join(', ')}`;
}

function comparedConversation(before: Explanation, after: Explanation, isSummarised: boolean): Compared {
  const [old, now] = [before.contents, after.contents];
  const at = firstDifference(
    old.map((content) => JSON.stringify(content)),
    now.map((content) => JSON.stringify(content)),
  );
  const sum = (contents: readonly Content[]): number => tokensOfLength(contents.reduce(addSize, 0));
  const sizes = {
    part: 'conversation',
    before: sum(old),
    after: sum(now),
    shared: sum(old.slice(0, at)),
  } as const;
  // What was appended to the request before only is not part of any other.
  const { earlier, contents } = before.stable ?? { earlier: old.length, contents: old.length };
  if (at >= contents) return { sizes, difference: undefined };
  const cause =
    at >= earlier
      ? 'it was added for that turn only, such as preloaded memories'
      : isSummarised
        ? 'the conversation was shortened or summarised'
        : 'it was changed since, by a later result or a callback';
  const shown = { before: textOf(old[at]), after: textOf(now[at]) };
  return { sizes, difference: { part: 'conversation', cause, ...shown } };
}

function addSize(sum: number, content: Content): number {
  return sum + sizeOfContent(content);
}

function textOf(content: Content | undefined): string {
  return content ? excerpt(JSON.stringify(content.parts), 0) : '';
}

/** The index of the first element in which two lists differ. */
function firstDifference(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((element, at) => element !== other[at]);
  return index === -1 ? one.length : index;
}

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}

const EXCERPT = 60;

/** A few characters around a place. */
function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - EXCERPT / 2);
  const end = Math.min(text.length, at + EXCERPT);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
