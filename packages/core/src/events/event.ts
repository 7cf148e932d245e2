import type {
  CitationMetadata,
  GenerateContentResponseUsageMetadata,
  GroundingMetadata,
  UrlContextMetadata,
} from '@google/genai';

import type { CacheMetadata } from './cache-metadata.js';
import { functionCallsOf, functionResponsesOf, joinText } from './content-parts.js';
import type { Content, FunctionCall, FunctionResponse, Part } from './genai-types.js';
import { readContent } from './read-content.js';
import { frozenJson } from '@adorn/schema';
import { newEventId } from '../runtime/ids.js';
import { type EventActions, toEventActions } from './event-actions.js';
import { copyWireFields, type WireFields } from './event-fields.js';
import { eventToJson, readEventFields } from './event-json.js';
import type { NodeInfo } from './event-place.js';
import type { LiveNotice } from './live-notice.js';
import { type PendingRequestData, requestsOf } from './pending-request.js';

/** When and where an event happened. */
export interface EventStamp {
  /** The id of the invocation that the event belongs to: one message, with the answers to its requests. */
  readonly invocationId: string;
  /** Seconds since 1970, a float. Default: now. Events are never ordered by it. */
  readonly timestamp?: number;
  /** The path of a parallel branch: agent names joined by dots. */
  readonly branch?: string | undefined;
  /** The place of the agent in the tree. Default: none. */
  readonly nodeInfo?: NodeInfo | undefined;
}

/** The content and metadata of an event. */
export interface EventBody extends WireFields {
  /** The agent's name, or `user`. */
  readonly author: string;
  /** Default: a new id. */
  readonly id?: string;
  /** Default: the place of the agent that makes the event. */
  readonly nodeInfo?: NodeInfo | undefined;
  /** Default: the branch of the agent that makes the event. */
  readonly branch?: string | undefined;
  /** Text, calls, responses and files. Undefined for an event with only actions or an error. */
  readonly content?: Content | undefined;
  /** State writes, artifacts, transfers and other effects. Default: none. */
  readonly actions?: Partial<EventActions> | undefined;
  /** Ids of calls whose responses come in a later event. */
  readonly longRunningToolIds?: readonly string[];
  /** True for a piece of a streamed answer: yielded, never stored. */
  readonly partial?: boolean;
  /**
   * True for the model's last answer in this run of its agent. A message that answers several agents resumes them one after
   * another: then each may have such an answer, and the result of the run is the last.
   */
  readonly turnComplete?: boolean;
  /**
   * Why the answer is not usable, or why the run ended: a code of Adorn or of the model's provider. Default: no
   * error.
   */
  readonly errorCode?: string | undefined;
  /** The description of the error. It contains no secret. */
  readonly errorMessage?: string | undefined;
  /** Why the model stopped, in Google's words: `STOP`, `MAX_TOKENS`, `SAFETY`, … */
  readonly finishReason?: string | undefined;
  /** The tokens of the model call, as the model reports them. */
  readonly usageMetadata?: GenerateContentResponseUsageMetadata | undefined;
  /** The sources of an answer that a provider's search supports. */
  readonly groundingMetadata?: GroundingMetadata | undefined;
  /** The works that the answer quotes, as the provider reports them. */
  readonly citationMetadata?: CitationMetadata | undefined;
  /** The version of the model that answered, if the provider reports it. */
  readonly modelVersion?: string | undefined;
  /** Data of an application, by key. JSON. Keys that begin with `adorn:` belong to Adorn. */
  readonly customMetadata?: Readonly<Record<string, unknown>> | undefined;
}

/** All fields of an event. */
export type EventFields = EventStamp & EventBody;

const NONE: readonly string[] = Object.freeze([]);

/** True for undefined and for null, which database rows and file lines may contain. */
function isNone(ids: readonly string[] | null | undefined): ids is null | undefined {
  return ids === undefined || ids === null || ids.length === 0;
}

/**
 * An entry of a session's log. Its values are frozen copies of those that it was made of; once it is stored or yielded, it
 * is frozen itself, and every reader gets the same object. `JSON.stringify` writes the ADK's wire form.
 *
 * Fields are declared and assigned in the constructor: as class fields they cost a third of a streamed turn.
 */
export class Event {
  /** Unique in the session. */
  declare readonly id: string;
  /** The id of the invocation that the event belongs to: one message, with the answers to its requests. */
  declare readonly invocationId: string;
  /** The agent's name, or `user`. */
  declare readonly author: string;
  /** Seconds since 1970, a float. Events are never ordered by it. */
  declare readonly timestamp: number;
  /** The path of a parallel branch, agent names joined by dots; undefined on the main branch. */
  declare readonly branch: string | undefined;
  /** The place of the agent in the tree; undefined for a message of the user. */
  declare readonly nodeInfo: NodeInfo | undefined;
  /** Text, calls, responses and files; undefined for an event with only actions or an error. */
  declare readonly content: Content | undefined;
  /** State writes, artifacts, transfers and other effects; never undefined. */
  declare readonly actions: EventActions;
  /** Ids of calls whose responses come in a later event; mostly empty. */
  declare readonly longRunningToolIds: readonly string[];
  /** True for a piece of a streamed answer: yielded, never stored. */
  declare readonly partial: boolean;
  /** True for the model's last answer in this run of its agent. */
  declare readonly turnComplete: boolean;
  /** Why the answer is not usable, or why the run ended: a code of Adorn or of the model's provider. */
  declare readonly errorCode: string | undefined;
  /** The description of the error, without secrets; undefined if there is none. */
  declare readonly errorMessage: string | undefined;
  /** Why the model stopped, in Google's words: `STOP`, `MAX_TOKENS`, `SAFETY`, … */
  declare readonly finishReason: string | undefined;
  /** The tokens of the model call, as the model reports them. */
  declare readonly usageMetadata: GenerateContentResponseUsageMetadata | undefined;
  /** The sources of an answer that a provider's search supports. */
  declare readonly groundingMetadata: GroundingMetadata | undefined;
  /** The works that the answer quotes, as the provider reports them. */
  declare readonly citationMetadata: CitationMetadata | undefined;
  /** The version of the model that answered, if the provider reports it. */
  declare readonly modelVersion: string | undefined;
  /** Data of an application, by key. JSON. Keys that begin with `adorn:` belong to Adorn. */
  declare readonly customMetadata: Readonly<Record<string, unknown>> | undefined;
  /** True if the user interrupted the model while it spoke. */
  declare readonly interrupted?: boolean | undefined;
  /** The transcription of the user's speech, as Gemini gives it. */
  declare readonly inputTranscription?: object | undefined;
  /** The transcription of the model's speech, as Gemini gives it. */
  declare readonly outputTranscription?: object | undefined;
  /** The start or end of the user's speech, as Gemini reports it. */
  declare readonly voiceActivity?: object | undefined;
  /** The handle by which a live connection of Gemini can be continued. */
  declare readonly liveSessionResumptionUpdate?: object | undefined;
  /** The output of a node of a workflow, in logs of other ADKs. */
  declare readonly output?: unknown;
  /** Names the call that ran an agent as a tool: only events of one scope see each other. */
  declare readonly isolationScope?: string | undefined;
  /** The route that a node of a workflow selected, in logs of other ADKs. */
  declare readonly route?: unknown;
  /** The web pages that the provider read for the answer. */
  declare readonly urlContextMetadata?: UrlContextMetadata | undefined;
  /** The cache at the provider that the request of the answer named. */
  declare readonly cacheMetadata?: CacheMetadata | undefined;
  /** News of a live session, shown and never stored; undefined for other events. */
  declare readonly live?: LiveNotice | undefined;

  constructor(fields: EventFields);
  /** @param content the content of the body, if it has been read already */
  constructor(body: EventBody, stamp: EventStamp, content?: Content);
  constructor(
    fields: EventBody,
    stamp: EventStamp = fields as EventFields,
    content = readContent(fields.content),
  ) {
    this.id = fields.id ?? newEventId();
    this.invocationId = stamp.invocationId;
    this.author = fields.author;
    this.timestamp = stamp.timestamp ?? Date.now() / 1000;
    this.branch = fields.branch ?? stamp.branch;
    this.nodeInfo = frozenJson(fields.nodeInfo ?? stamp.nodeInfo);
    this.content = frozenJson(content);
    this.actions = toEventActions(fields.actions);
    const { longRunningToolIds } = fields;
    this.longRunningToolIds = isNone(longRunningToolIds) ? NONE : frozenJson(longRunningToolIds);
    this.partial = fields.partial ?? false;
    this.turnComplete = fields.turnComplete ?? false;
    this.errorCode = fields.errorCode;
    this.errorMessage = fields.errorMessage;
    this.finishReason = fields.finishReason;
    this.usageMetadata = frozenJson(fields.usageMetadata);
    this.groundingMetadata = frozenJson(fields.groundingMetadata);
    this.citationMetadata = frozenJson(fields.citationMetadata);
    this.modelVersion = fields.modelVersion;
    this.customMetadata = frozenJson(fields.customMetadata);
    copyWireFields(fields, this);
  }

  /** The text without thoughts; empty if there is none. */
  get text(): string {
    return joinText(this.content);
  }

  /** The speech in a piece of a live answer: PCM16, mono, little-endian. Undefined if there is none. */
  get audio(): Uint8Array | undefined {
    const data = this.content?.parts?.find(isSpeech)?.inlineData?.data;
    return data === undefined ? undefined : Buffer.from(data, 'base64');
  }

  /** The calls in the content, in their order; empty if there are none. */
  get functionCalls(): FunctionCall[] {
    return functionCallsOf(this.content);
  }

  /** The responses to calls in the content, in their order; empty if there are none. */
  get functionResponses(): FunctionResponse[] {
    return functionResponsesOf(this.content);
  }

  /** True if no other event follows in this turn of the agent: the event can be shown as the answer. */
  get isFinalResponse(): boolean {
    return isFinalResponse(this);
  }

  /** The requests that this event opens. */
  get pending(): PendingRequestData[] {
    return requestsOf(this);
  }

  /** A copy of the event with other values of these fields. */
  with(changes: Partial<EventFields>): Event {
    return new Event({ ...(this as EventFields), ...changes });
  }

  /** The event in the wire form of the ADK, as `JSON.stringify` writes it. */
  toJSON(): Record<string, unknown> {
    return eventToJson(this);
  }
}

/**
 * Reads an event from the ADK's wire form. Drops unknown fields and `null` values, in the content too.
 *
 * @throws {EventInvalidError} if a required field is absent or a field has the wrong type
 */
export function eventFromJson(json: unknown): Event {
  return new Event(readEventFields(json));
}

/** True for an answer, for a pause, and for a tool's response that is the answer. */
export function isFinalResponse(event: Event): boolean {
  if (event.actions.skipSummarization === true || event.longRunningToolIds.length > 0) return true;
  if (event.partial || isEndMark(event) || isRetried(event)) return false;
  return event.content?.parts?.some(isCallOrResponse) !== true && !endsWithCodeResult(event.content);
}

/** True for an event without content or error that records the end of an agent's run. */
function isEndMark({ actions, content, errorCode }: Event): boolean {
  return actions.endOfAgent === true && content === undefined && errorCode === undefined;
}

/** The key of an event's custom metadata that is `true` if calls of its run continue in the background. */
export const BACKGROUND = 'adorn:background';

/**
 * The key of an event's custom metadata that is `true` for an answer that could not be used, if the model was asked once
 * more: the error of the event is not the end of the run.
 */
export const RETRIED = 'adorn:retried';

/** True for an answer that could not be used, after which the model was asked once more. */
export function isRetried({ customMetadata }: Pick<Event, 'customMetadata'>): boolean {
  return customMetadata?.[RETRIED] === true;
}

/** True if calls of the run continue in the background: the event may look like an answer or a pause, and is neither. */
export function continuesInBackground({ customMetadata }: Pick<Event, 'customMetadata'>): boolean {
  return customMetadata?.[BACKGROUND] === true;
}

/** True if the content ends with the result of code that the model ran: the model has not answered yet. */
export function endsWithCodeResult(content: Content | undefined): boolean {
  return Boolean(content?.parts?.at(-1)?.codeExecutionResult);
}

function isCallOrResponse(part: Part): boolean {
  return part.functionCall !== undefined || part.functionResponse !== undefined;
}

function isSpeech({ inlineData }: Part): boolean {
  return inlineData?.mimeType?.startsWith('audio/') === true;
}

/** The text of an event that is an answer: the model's text, or the results of tools that replace it. */
export function responseTextOf(event: Event): string | undefined {
  if (event.author === 'user' || !event.isFinalResponse) return undefined;
  if (event.text !== '') return event.text;
  const results = event.functionResponses.map(({ response }) => resultText(response));
  return event.actions.skipSummarization === true && results.length > 0 ? results.join('\n') : undefined;
}

/** A string result unchanged, any other result as JSON text. A value under `result` is unwrapped first. */
function resultText(response: Readonly<Record<string, unknown>> | undefined): string {
  if (!response) return '';
  const [key = '', ...others] = Object.keys(response);
  const isWrapped = others.length === 0 && (key === 'result' || key === 'text');
  const value = isWrapped ? response[key] : response;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
