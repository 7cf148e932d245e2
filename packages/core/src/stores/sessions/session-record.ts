import { type PrincipalInput, toPrincipal } from '../../approvals/principal.js';
import { EventTimeInvalidError } from '../../events/errors.js';
import { Event, type EventFields, eventFromJson } from '../../events/event.js';
import { frozenWireFields } from '../../events/event-json.js';
import { keyOf, type Session, type SessionKey } from '../../events/session.js';
import {
  ANY,
  assertName,
  BOOLEAN,
  checkName,
  checkOptions,
  frozenJson,
  type OptionRules,
  present,
} from '@adorn/schema';
import { persistedDelta, scopeOf, type StateDelta } from '../../events/state.js';
import { adoptedRecord } from './adopt-record.js';
import { SessionFileInvalidError, SessionNotFoundError } from './errors.js';
import type { RunRecord } from '../../events/run-record.js';
import type { SessionService } from './session.service.js';

/** A write to the session's own keys without an event, by `createSession` or `updateSession`. */
export interface StateUpdate {
  /** The `nextSeq` of the session at the write: the event with this `seq` came later. */
  readonly seq: number;
  /** The written keys; `null` removes a key. */
  readonly stateDelta: StateDelta;
}

/** The state writes of the first events of a session and of the updates between and behind them, in their order. */
export function deltasOf(events: readonly Event[], updates: readonly StateUpdate[]): StateDelta[] {
  const updatedAt = new Map(updates.map(({ seq, stateDelta }) => [seq, stateDelta]));
  const deltas = events.flatMap(({ actions }, seq) => [updatedAt.get(seq) ?? {}, actions.stateDelta]);
  return [...deltas, updatedAt.get(events.length) ?? {}];
}

/** A session for export and import. */
export interface SessionRecord {
  /** The title of the conversation. Default: none. */
  readonly title?: string | undefined;
  /** The session's own keys as they are at the end of its log. */
  readonly state: Readonly<Record<string, unknown>>;
  /** All events, oldest first. */
  readonly events: readonly Event[];
  /** What `SessionService.stateUpdates` returned. */
  readonly stateUpdates?: readonly StateUpdate[];
  /** Its last run. Default: found by the end of its log. */
  readonly run?: RunRecord | undefined;
}

/** The session's own keys, without those of the application, the user and the invocation. */
export function ownState(state: StateDelta): Record<string, unknown> {
  return Object.fromEntries(Object.entries(state).filter(([key]) => scopeOf(key) === 'session'));
}

/** Copies the event with only session-scoped state writes; returns it unchanged if there are no others. */
export function withOwnState(event: Event): Event {
  const { stateDelta } = event.actions;
  const isOwn = Object.keys(stateDelta).every((key) => scopeOf(key) === 'session');
  return isOwn ? event : withStateDelta(event, ownState(stateDelta));
}

/** The delta that removes every key. */
export function removalOf(state: Readonly<Record<string, unknown>>): StateDelta {
  return Object.fromEntries(Object.keys(state).map((key) => [key, null]));
}

/**
 * The event as it is stored: frozen, and without `temp:` state. Returns the same event if it has none.
 *
 * @throws {ValueNotJsonError} if a value of its state delta is not JSON
 * @throws {NameInvalidError | NameTooLongError} if its id, author, invocation id, a state key or a request id is not
 *   valid or too long
 * @throws {EventTimeInvalidError} if the timestamp is not a finite number
 */
export function persistedEvent(event: Event): Event {
  checkName('id of an event', event.id);
  checkName('id of an invocation', event.invocationId);
  checkName('author of an event', event.author);
  if (event.branch !== undefined) assertName('branch of an event', event.branch);
  if (!Number.isFinite(event.timestamp)) throw new EventTimeInvalidError(event.timestamp);
  for (const id of event.longRunningToolIds) checkName('id of a request', id);
  return frozenEvent(withStateDelta(event, persistedDelta(event.actions.stateDelta)));
}

/** A partial event as it is yielded: frozen, and without `temp:` state. It is never stored. */
export function yieldedPiece(event: Event): Event {
  return frozenEvent(withStateDelta(event, persistedDelta(event.actions.stateDelta)));
}

/** The event itself, frozen; a copy if it has values that it shares with who made it. */
function frozenEvent(event: Event): Event {
  if (Object.isFrozen(event)) return event;
  const wire = frozenWireFields(event);
  const compaction = frozenJson(event.actions.compaction);
  if (wire === undefined && compaction === event.actions.compaction) return Object.freeze(event);
  const fields: EventFields = event;
  return Object.freeze(new Event({ ...fields, ...wire, actions: { ...event.actions, compaction } }));
}

/** A copy of the event with another state delta; the same event if the delta is unchanged. */
function withStateDelta(event: Event, stateDelta: StateDelta): Event {
  if (stateDelta === event.actions.stateDelta) return event;
  const fields: EventFields = event;
  return new Event({ ...fields, actions: { ...event.actions, stateDelta } });
}

const VERSION = 1;

/** The first line. The events follow, one per line. */
interface Heading extends SessionKey {
  readonly adorn: 'session';
  readonly version: number;
  readonly title?: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** Absent if there are none, and in files of earlier versions. */
  readonly stateUpdates?: readonly StateUpdate[];
  /** The session's last run. Absent if there is none, and in files of earlier versions. */
  readonly run?: RunRecord;
  /** How many lines follow. */
  readonly events: number;
}

/**
 * Exports a session as lines of JSON, without line breaks: first its key, title and session state, then each event in
 * the ADK wire format. `app:` and `user:` state is not exported.
 *
 * @throws {SessionNotFoundError}
 */
export async function* exportSession(sessions: SessionService, key: SessionKey): AsyncGenerator<string> {
  const session = await sessions.getSession(key);
  if (!session) throw new SessionNotFoundError(key.sessionId);
  const { nextSeq } = session;
  const updates = (await sessions.stateUpdates(key)).filter(({ seq }) => seq <= nextSeq);
  yield JSON.stringify(headingOf(session, updates));
  for (const event of session.events) yield JSON.stringify(event);
}

/** Who imports a session, and whether its log is believed. */
export interface ImportOptions {
  /** Who imports it, and is the requester of its runs. Default: the user under whom it is imported. */
  readonly by?: PrincipalInput | undefined;
  /**
   * True for a log of the application's own, such as from another store: its requesters and approvals hold. Default: false, and
   * calls that have not run ask again.
   */
  readonly isTrusted?: boolean | undefined;
}

const IMPORT: OptionRules<ImportOptions> = { by: ANY, isTrusted: BOOLEAN };

/**
 * Imports a session from the lines of `exportSession`. Empty lines are ignored. What a file says of who asked and who approved is
 * not believed, unless `isTrusted` is set: whoever has it may have written it.
 *
 * @param key overrides parts of the exported key
 * @throws {SessionFileInvalidError} if a line is missing or cannot be read; nothing is imported then
 * @throws {SessionExistsError}
 * @throws {OptionInvalidError} if an option does not exist or has an invalid value; `PrincipalInvalidError` for `by`
 */
export async function importSession(
  sessions: SessionService,
  lines: Iterable<string> | AsyncIterable<string>,
  key: Partial<SessionKey> = {},
  options: ImportOptions = {},
): Promise<Session> {
  checkOptions('importSession', options, IMPORT);
  const { isTrusted = false } = options;
  const by = options.by === undefined ? undefined : toPrincipal(options.by, 'by');
  let heading: Heading | undefined;
  const events: Event[] = [];
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    const json = parsed(text, line);
    if (!heading) heading = readHeading(json, line);
    else events.push(readEvent(json, line));
  }
  if (!heading) throw new SessionFileInvalidError(1, 'the file is empty');
  if (events.length !== heading.events) {
    const found = `found ${String(events.length)} of ${String(heading.events)} events`;
    throw new SessionFileInvalidError(line, found);
  }
  const { appName, userId, sessionId, title, state, stateUpdates, run } = heading;
  const record = { title, state, events, stateUpdates, run };
  const target = { appName, userId, sessionId, ...key };
  if (isTrusted) return sessions.importSession(target, record);
  const importer = by ?? toPrincipal(target.userId, 'by');
  return sessions.importSession(target, adoptedRecord(record, importer, target.userId));
}

function headingOf(session: Session, stateUpdates: readonly StateUpdate[]): Heading {
  const { title, state, events, lastRun } = session;
  return present({
    adorn: 'session',
    version: VERSION,
    ...keyOf(session),
    title,
    state: ownState(state),
    stateUpdates: stateUpdates.length > 0 ? stateUpdates : undefined,
    run: lastRun,
    events: events.length,
  });
}

function readHeading(json: unknown, line: number): Heading {
  const heading = json as Partial<Heading> | null;
  if (heading?.adorn !== 'session') {
    throw new SessionFileInvalidError(line, 'it does not start with {"adorn":"session"');
  }
  if (heading.version !== VERSION) {
    throw new SessionFileInvalidError(
      line,
      `its version is ${String(heading.version)}, not ${String(VERSION)}`,
    );
  }
  for (const name of ['appName', 'userId', 'sessionId'] as const) {
    if (typeof heading[name] !== 'string')
      throw new SessionFileInvalidError(line, `"${name}" is not a string`);
  }
  if (
    typeof heading.state !== 'object' ||
    (heading.state as unknown) === null ||
    typeof heading.events !== 'number'
  ) {
    throw new SessionFileInvalidError(line, '"state" or "events" is missing');
  }
  checkStateUpdates(heading.stateUpdates, heading.events, line);
  checkRun(heading.run, line);
  return heading as Heading;
}

function checkStateUpdates(updates: unknown, events: number, line: number): void {
  if (updates === undefined) return;
  let next = 0;
  for (const update of Array.isArray(updates) ? updates : [undefined]) {
    const { seq, stateDelta } = Object(update) as Partial<Record<keyof StateUpdate, unknown>>;
    const isSeq = Number.isInteger(seq) && Number(seq) >= next && Number(seq) <= events;
    if (!isSeq || typeof stateDelta !== 'object' || stateDelta === null || Array.isArray(stateDelta)) {
      throw new SessionFileInvalidError(
        line,
        '"stateUpdates" is not an array of {"seq", "stateDelta"}, sorted by "seq" without duplicates',
      );
    }
    next = Number(seq) + 1;
  }
}

function checkRun(run: unknown, line: number): void {
  if (run === undefined) return;
  const { id, status, epoch, openedAt, attempts } = Object(run) as Partial<Record<keyof RunRecord, unknown>>;
  const isStatus = status === 'open' || status === 'paused' || status === 'ended';
  const isCounted = [epoch, openedAt, attempts].every((value) => Number.isFinite(value));
  if (typeof id !== 'string' || !isStatus || !isCounted) {
    const wanted = '{"id", "status": "open" | "paused" | "ended", "epoch", "openedAt", "attempts"}';
    throw new SessionFileInvalidError(line, `"run" is not ${wanted}`);
  }
}

function readEvent(json: unknown, line: number): Event {
  try {
    return eventFromJson(json);
  } catch (error) {
    throw new SessionFileInvalidError(line, (error as Error).message, { cause: error });
  }
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SessionFileInvalidError(line, `it is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
