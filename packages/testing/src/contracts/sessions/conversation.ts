import { Event, type Session, type SessionKey, type SessionService } from '@adorn/core';
import type { EventActions } from '@adorn/core/backend';

export const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };

/** The key of another conversation of the same user. */
export function sessionOf(sessionId: string): SessionKey {
  return { ...KEY, sessionId };
}

export const OTHER_SESSION = sessionOf('s2');

/** An event that says a text at a time. */
export function said(text: string, timestamp = 1_700_000_000): Event {
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    timestamp,
    content: { role: 'model', parts: [{ text }] },
  });
}

/** An event that hands over a call whose result is still to come. */
export function asked(id: string): Event {
  const functionResponse = { id, name: 'export', response: {}, willContinue: true };
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    content: { role: 'user', parts: [{ functionResponse }] },
    longRunningToolIds: [id],
  });
}

/** An event that writes to the state. */
export function wrote(stateDelta: EventActions['stateDelta']): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', actions: { stateDelta } });
}

/** Appends events one after the other, each to the session that the last one gave. */
export async function appendAll(
  sessions: SessionService,
  session: Session,
  events: readonly Event[],
): Promise<Session> {
  let current = session;
  for (const event of events) current = await sessions.appendEvent(current, event);
  return current;
}

/** The texts of a session's events; undefined if there is no session. */
export function textsOf(session: Session | undefined): string[] | undefined {
  return session?.events.map(({ text }) => text);
}

/** The state as pairs in the order of their keys, so that keys of every kind can be compared. */
export function pairsOf(session: Pick<Session, 'state'> | undefined): [string, unknown][] {
  return Object.entries(session?.state ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
