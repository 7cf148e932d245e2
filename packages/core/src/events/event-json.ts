import type { UrlContextMetadata } from '@google/genai';

import { type ContentFault, readContent } from '../content/read-content.js';
import { kindOf } from '../errors/describe-thrown.js';
import { frozenJson, isJsonValue, MAX_JSON_DEPTH } from '../json/json-value.js';
import type { EventActions } from './event-actions.js';
import { EventInvalidError } from './errors.js';
import type { Event, EventFields } from './event.js';
import type { LiveNotice } from './live-notice.js';

/**
 * Fields of the wire form that few events have: fields of other ADKs and their clients, and of Gemini. Kept unchanged when
 * an event is read and written.
 */
export interface WireFields {
  /** True if the user interrupted the model while it spoke. */
  readonly interrupted?: boolean | undefined;
  /** The transcription of the user's speech, as Gemini gives it. */
  readonly inputTranscription?: object | undefined;
  /** The transcription of the model's speech, as Gemini gives it. */
  readonly outputTranscription?: object | undefined;
  /** The start or end of the user's speech, as Gemini reports it. */
  readonly voiceActivity?: object | undefined;
  /** The handle by which a live connection of Gemini can be continued. */
  readonly liveSessionResumptionUpdate?: object | undefined;
  /** The output of a node of a workflow, in logs of other ADKs. */
  readonly output?: unknown;
  /** Names the call that ran an agent as a tool: only events of one scope see each other. */
  readonly isolationScope?: string | undefined;
  /** The route that a node of a workflow selected, in logs of other ADKs. */
  readonly route?: unknown;
  /** The web pages that the model's provider read for an answer. */
  readonly urlContextMetadata?: UrlContextMetadata | undefined;
  /** News of a live session, in a partial event. */
  readonly live?: LiveNotice | undefined;
}

/** The type of each field, as worded in errors; undefined for any JSON value. */
export const WIRE_FIELD_KINDS = {
  interrupted: 'a boolean',
  inputTranscription: 'an object',
  outputTranscription: 'an object',
  voiceActivity: 'an object',
  liveSessionResumptionUpdate: 'an object',
  output: undefined,
  isolationScope: 'a text',
  route: undefined,
  urlContextMetadata: 'an object',
  live: 'an object',
} as const satisfies { readonly [Field in keyof Required<WireFields>]: string | undefined };

const NAMES = Object.keys(WIRE_FIELD_KINDS) as readonly (keyof WireFields)[];

/**
 * The ADK's wire form of an event: camelCase, without empty fields, except for the four maps of the actions, which ADK
 * clients read without a check.
 */
export function eventToJson(event: Event): Record<string, unknown> {
  const json = withoutEmpty({
    invocationId: event.invocationId,
    author: event.author,
    id: event.id,
    branch: event.branch,
    nodeInfo: event.nodeInfo,
    content: event.content,
    actions: actionsToJson(event.actions),
    longRunningToolIds: event.longRunningToolIds.length > 0 ? event.longRunningToolIds : undefined,
    timestamp: event.timestamp,
    partial: event.partial,
    turnComplete: event.turnComplete,
    finishReason: event.finishReason,
    errorCode: event.errorCode,
    errorMessage: event.errorMessage,
    usageMetadata: event.usageMetadata,
    groundingMetadata: event.groundingMetadata,
    citationMetadata: event.citationMetadata,
    modelVersion: event.modelVersion,
    customMetadata: event.customMetadata,
  });
  copyWireFields(event, json);
  return json;
}

function actionsToJson(actions: EventActions): Record<string, unknown> {
  const { stateDelta, artifactDelta, requestedAuthConfigs, requestedToolConfirmations, ...rest } = actions;
  return {
    stateDelta,
    artifactDelta,
    requestedAuthConfigs,
    requestedToolConfirmations,
    ...withoutEmpty(rest),
  };
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null && value !== false) kept[key] = value;
  }
  return kept;
}

/**
 * Reads the fields of an event from the ADK's wire form. Drops unknown fields and `null` values, in the content too.
 *
 * @throws {EventInvalidError} if a required field is absent or a field has the wrong type
 */
export function readEventFields(json: unknown): EventFields {
  requireKind('the event', 'an object', json);
  const fields = withoutNulls(json as Record<string, unknown>);
  for (const [name, kind] of Object.entries(REQUIRED)) requireKind(`"${name}"`, kind, fields[name]);
  for (const [name, kind] of Object.entries(OPTIONAL))
    if (kind !== undefined && fields[name] !== undefined) requireKind(`"${name}"`, kind, fields[name]);
  for (const name of KEPT) requireJson(`"${name}"`, fields[name]);
  for (const callId of (fields['longRunningToolIds'] ?? []) as unknown[]) {
    requireKind('an id of "longRunningToolIds"', 'a text', callId);
  }
  checkActions(fields['actions'] as Record<string, unknown> | undefined);
  const content = readContent(fields['content'], refuse);
  return { ...fields, content } as unknown as EventFields;
}

type Kind = 'an object' | 'a list' | 'a number' | 'a text' | 'a boolean';

/** Required fields. */
const REQUIRED = { invocationId: 'a text', author: 'a text', id: 'a text', timestamp: 'a number' } as const;

/** Optional fields. `null` means absent. */
const OPTIONAL: Readonly<Record<string, Kind | undefined>> = {
  content: 'an object',
  actions: 'an object',
  longRunningToolIds: 'a list',
  branch: 'a text',
  nodeInfo: 'an object',
  partial: 'a boolean',
  turnComplete: 'a boolean',
  finishReason: 'a text',
  errorCode: 'a text',
  errorMessage: 'a text',
  modelVersion: 'a text',
  usageMetadata: 'an object',
  groundingMetadata: 'an object',
  citationMetadata: 'an object',
  customMetadata: 'an object',
  ...WIRE_FIELD_KINDS,
};

/** Fields whose values are kept unchanged. */
const KEPT = [
  'nodeInfo',
  'usageMetadata',
  'groundingMetadata',
  'citationMetadata',
  'customMetadata',
  ...Object.keys(WIRE_FIELD_KINDS),
];

/** The checked actions. Actions of any JSON value are not listed. `null` means absent. */
const ACTIONS = {
  stateDelta: 'an object',
  artifactDelta: 'an object',
  requestedAuthConfigs: 'an object',
  requestedToolConfirmations: 'an object',
  transferToAgent: 'a text',
  escalate: 'a boolean',
  skipSummarization: 'a boolean',
  rewindBeforeInvocationId: 'a text',
  endOfAgent: 'a boolean',
  agentState: 'an object',
  compaction: 'an object',
} as const;

function refuse({ field, wanted, found }: ContentFault): never {
  throw new EventInvalidError(`"${field}"`, wanted, found);
}

function checkActions(actions: Record<string, unknown> = {}): void {
  for (const [name, kind] of Object.entries(ACTIONS)) {
    const value = actions[name] ?? undefined;
    if (value !== undefined) requireKind(`"actions.${name}"`, kind, value);
  }
  for (const [name, value] of Object.entries(actions)) requireJson(`"actions.${name}"`, value);
  checkCompaction(actions['compaction'] as Record<string, unknown> | null | undefined);
}

function checkCompaction(compaction: Record<string, unknown> | null | undefined): void {
  if (compaction === undefined || compaction === null) return;
  const { startTimestamp, endTimestamp, compactedContent } = compaction;
  requireKind('"actions.compaction.startTimestamp"', 'a number', startTimestamp);
  requireKind('"actions.compaction.endTimestamp"', 'a number', endTimestamp);
  requireKind('"actions.compaction.compactedContent"', 'an object', compactedContent);
  readContent(compactedContent, refuse);
}

function requireJson(what: string, value: unknown): void {
  if (value === undefined || isJsonValue(value)) return;
  const wanted = `JSON of at most ${String(MAX_JSON_DEPTH)} levels`;
  throw new EventInvalidError(what, wanted, 'another value');
}

function requireKind(what: string, wanted: Kind, value: unknown): void {
  const found = kindOf(value);
  if (found !== wanted) throw new EventInvalidError(what, wanted, found);
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Copies only the fields that are present: most events have none, and stay small. */
export function copyWireFields(from: WireFields, to: object): void {
  for (const name of NAMES) {
    const value = from[name];
    if (value !== undefined && value !== null) (to as Record<string, unknown>)[name] = value;
  }
}

/** The fields of an event that `copyWireFields` copies, deeply frozen; undefined if they are already. */
export function frozenWireFields(event: WireFields): WireFields | undefined {
  const fields: WireFields = {};
  copyWireFields(event, fields);
  const frozen = frozenJson(fields);
  return NAMES.every((name) => frozen[name] === fields[name]) ? undefined : frozen;
}
