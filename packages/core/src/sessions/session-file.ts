import { eventFromJson } from '../events/event-from-json.js';
import type { Event } from '../events/event.js';
import { keyOf, type Session, type SessionKey } from '../events/session.js';
import { SessionFileInvalidError } from './session-file-invalid.error.js';
import { SessionNotFoundError } from './session-not-found.error.js';
import { ownState } from './session-record.js';
import type { SessionService } from './session.service.js';

const VERSION = 1;

/** The first line; the events follow, one a line. */
interface Heading extends SessionKey {
  readonly adorn: 'session';
  readonly version: number;
  readonly title?: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** How many lines follow. */
  readonly events: number;
}

/**
 * A conversation as lines of JSON, without line ends: first its address, title and own state, then each event in the
 * ADK's wire form. `app:` and `user:` keys of the state are not the conversation's, and stay where they are.
 *
 * @throws {SessionNotFoundError}
 */
export async function* exportSession(sessions: SessionService, key: SessionKey): AsyncGenerator<string> {
  const session = await sessions.getSession(key);
  if (session === undefined) throw new SessionNotFoundError(key.sessionId);
  yield JSON.stringify(headingOf(session));
  for (const event of session.events) yield JSON.stringify(event);
}

/**
 * Makes a session of the lines that `exportSession` gave; empty lines count for nothing.
 *
 * @param key where it is to be, as far as it is not where it was
 * @throws {SessionFileInvalidError} where a line is missing or cannot be read; nothing is then imported
 * @throws {SessionExistsError}
 */
export async function importSession(
  sessions: SessionService,
  lines: Iterable<string> | AsyncIterable<string>,
  key: Partial<SessionKey> = {},
): Promise<Session> {
  let heading: Heading | undefined;
  const events: Event[] = [];
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    const json = parsed(text, line);
    if (heading === undefined) heading = readHeading(json, line);
    else events.push(readEvent(json, line));
  }
  if (heading === undefined) throw new SessionFileInvalidError(1, 'there is no line at all');
  if (events.length !== heading.events) {
    const found = `${String(events.length)} of ${String(heading.events)} events are there`;
    throw new SessionFileInvalidError(line, found);
  }
  const { appName, userId, sessionId, title, state } = heading;
  return sessions.importSession({ appName, userId, sessionId, ...key }, { title, state, events });
}

function headingOf(session: Session): Heading {
  const { title, state, events } = session;
  return {
    adorn: 'session',
    version: VERSION,
    ...keyOf(session),
    ...(title !== undefined && { title }),
    state: ownState(state),
    events: events.length,
  };
}

function readHeading(json: unknown, line: number): Heading {
  const heading = json as Partial<Heading> | null;
  if (heading?.adorn !== 'session') {
    throw new SessionFileInvalidError(line, 'it does not begin with {"adorn":"session"');
  }
  if (heading.version !== VERSION) {
    throw new SessionFileInvalidError(
      line,
      `it is of version ${String(heading.version)}, not ${String(VERSION)}`,
    );
  }
  for (const name of ['appName', 'userId', 'sessionId'] as const) {
    if (typeof heading[name] !== 'string') throw new SessionFileInvalidError(line, `"${name}" is no text`);
  }
  if (typeof heading.state !== 'object' || typeof heading.events !== 'number') {
    throw new SessionFileInvalidError(line, '"state" or "events" is missing');
  }
  return heading as Heading;
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
