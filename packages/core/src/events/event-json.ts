import { type ContentFault, readContent } from './read-content.js';
import { kindOf, frozenJson, isJsonValue, MAX_JSON_DEPTH } from '@adorn/schema';
import type { EventActions } from './event-actions.js';
import { EventInvalidError } from './errors.js';
import { copyWireFields, FIELD_ENTRIES, type Kind, RARE_FIELDS, type WireFields } from './event-fields.js';
import type { Event, EventFields } from './event.js';

/**
 * The ADK's wire form of an event: camelCase, without empty fields, except for the four maps of the actions, which ADK
 * clients read without a check.
 */
export function eventToJson(event: Event): Record<string, unknown> {
  const { actions, longRunningToolIds } = event;
  const common: Record<string, unknown> = {};
  for (const [name, { isRare }] of FIELD_ENTRIES) if (isRare !== true) common[name] = event[name];
  const json = withoutEmpty({
    ...common,
    actions: actionsToJson(actions),
    longRunningToolIds: longRunningToolIds.length > 0 ? longRunningToolIds : undefined,
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
  for (const [name, { kind, isRequired }] of FIELD_ENTRIES) {
    const isChecked = isRequired === true || fields[name] !== undefined;
    if (kind !== undefined && isChecked) requireKind(`"${name}"`, kind, fields[name]);
    if (isKept(name, kind)) requireJson(`"${name}"`, fields[name]);
  }
  for (const callId of (fields['longRunningToolIds'] ?? []) as unknown[]) {
    requireKind('an id of "longRunningToolIds"', 'a text', callId);
  }
  checkActions(fields['actions'] as Record<string, unknown> | undefined);
  const content = readContent(fields['content'], refuse);
  return { ...fields, content } as unknown as EventFields;
}

/** True for a field whose value is kept unchanged. */
function isKept(name: keyof EventFields, kind: Kind | undefined): boolean {
  return name !== 'content' && name !== 'actions' && (kind === undefined || kind === 'an object');
}

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

/** The fields of an event that `copyWireFields` copies, deeply frozen; undefined if they are already. */
export function frozenWireFields(event: WireFields): WireFields | undefined {
  const fields: WireFields = {};
  copyWireFields(event, fields);
  const frozen = frozenJson(fields);
  return RARE_FIELDS.every((name) => frozen[name] === fields[name]) ? undefined : frozen;
}
