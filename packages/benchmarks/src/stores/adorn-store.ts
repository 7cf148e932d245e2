import { Event, type Session, type SessionKey } from '@adorn/core';
import { findState } from '@adorn/core/backend';
import { Database, SqlSessionService } from '@adorn/storage';

/** Adorn's sessions, put to the same work. */
export class AdornStore {
  private readonly database: Database;
  private readonly sessions: SqlSessionService;
  private readonly opened: Session[] = [];

  constructor(private readonly url: string) {
    this.database = new Database(url);
    this.sessions = new SqlSessionService(this.database);
  }

  async begin(sessions: number): Promise<void> {
    for (let index = this.opened.length; index < sessions; index++) {
      this.opened.push(await this.sessions.createSession(keyOf(`s${String(index)}`)));
    }
  }

  /** @param sessions how many sessions are appended to at once */
  async append(events: readonly Event[], sessions: number): Promise<void> {
    const rows = this.opened.slice(0, sessions).map(async (session, first) => {
      const own = events.filter((_event, index) => index % sessions === first);
      for (const event of own) await this.sessions.appendEvent(session, event);
    });
    await Promise.all(rows);
  }

  async importLong(events: readonly Event[]): Promise<void> {
    await this.sessions.importSession(keyOf('long'), { state: {}, events });
  }

  /** By a service that has never seen the session. */
  async load(): Promise<number> {
    const session = await new SqlSessionService(this.database).getSession(keyOf('long'));
    return session?.events.length ?? 0;
  }

  /** The session as a turn begins with it. */
  async look(): Promise<number> {
    const session = await this.sessions.getSession(keyOf('long'));
    return session?.events.length ?? 0;
  }

  /** Begins a session whose state has so many keys. */
  beginWithKeys(keys: number): Promise<Session> {
    const state = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${String(index)}`, 'x']));
    return this.sessions.createSession(keyOf(`keys-${String(keys)}`), state);
  }

  /** Reads one key of the state, and appends an event that writes it. */
  async count(session: Session): Promise<void> {
    const stateDelta = { count: Number(findState(session, 'count') ?? 0) + 1 };
    await this.sessions.appendEvent(
      session,
      new Event({ invocationId: 'e', author: 'a', actions: { stateDelta } }),
    );
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

function keyOf(sessionId: string): SessionKey {
  return { appName: 'bench', userId: 'ada', sessionId };
}
