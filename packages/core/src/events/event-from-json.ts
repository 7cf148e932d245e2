import { type ContentFault, readContent } from '../content/read-content.js';
import { kindOf } from '../errors/describe-thrown.js';
import { isJsonValue, MAX_JSON_DEPTH } from '../json/json-value.js';
import { Event, type EventFields } from './event.js';
import { EventInvalidError } from './event-invalid.error.js';
import { WIRE_FIELD_KINDS } from './wire-fields.js';

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

/**
 * Reads an event from the ADK's wire form. Drops unknown fields and `null` values, in the content too.
 *
 * @throws {EventInvalidError} if a required field is absent or a field has the wrong type
 */
export function eventFromJson(json: unknown): Event {
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
  return new Event({ ...fields, content } as unknown as EventFields);
}

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
