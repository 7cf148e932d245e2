import type { Session, SessionKey } from '@adorn/core';
import { keyOf, SessionNotFoundError } from '@adorn/core/backend';

import type { Database, Queries } from '../database/database.js';
import { CachedSession } from './cached-session.js';
import { readNewEvents, readOwnState, readSharedState } from './read-session.js';
import { SessionCache } from './session-cache.js';
import { readHead, type SessionHead, titleFrom } from './session-head.js';
import type { SharedState } from './shared-state.js';

/** Loads complete sessions and keeps them up to date. No event is read twice. */
export class SessionLoader {
  private readonly cache: SessionCache;

  /** @param cached how many sessions are kept */
  constructor(
    private readonly database: Database,
    cached: number,
  ) {
    this.cache = new SessionCache(cached);
  }

  /** The session as it is in the database now. */
  async load(key: SessionKey): Promise<CachedSession | undefined> {
    const known = this.cache.find(key);
    if (known !== undefined && (await known.inTurn(() => this.refresh(known)))) return known;
    const head = await this.headOf(key);
    if (head === undefined) return undefined;
    // Two that load one session at the same time get one object.
    const other = this.cache.find(key);
    if (other?.no === head.no) {
      await other.inTurn(() => this.refresh(other));
      return other;
    }
    const session = this.begin(key, head);
    await session.inTurn(() => this.database.run((queries) => refreshSession(queries, session, head)));
    return session;
  }

  /** @throws {SessionNotFoundError} */
  async require(key: SessionKey): Promise<CachedSession> {
    const session = await this.load(key);
    if (session === undefined) throw new SessionNotFoundError(key.sessionId);
    return session;
  }

  /**
   * Reads what is new in a session; to be called in its turn.
   *
   * @returns false where the session is no more, or is another one under the same id
   */
  async refresh(session: CachedSession): Promise<boolean> {
    const key = keyOf(session);
    const head = await this.headOf(key);
    if (head?.no !== session.no) {
      this.cache.drop(key);
      return false;
    }
    await this.database.run((queries) => refreshSession(queries, session, head));
    return true;
  }

  /** The session that this process holds, as it was when it was last read or written. */
  held(session: Session): CachedSession | undefined {
    if (session instanceof CachedSession) return session;
    return this.cache.find(keyOf(session));
  }

  drop(key: SessionKey): void {
    this.cache.drop(key);
  }

  private headOf(key: SessionKey): Promise<SessionHead | undefined> {
    return this.database.run((queries) => readHead(queries, key));
  }

  private begin(key: SessionKey, head: SessionHead): CachedSession {
    const { user, app } = this.cache.sharedOf(key);
    return this.cache.keep(new CachedSession(key, head.no, user, app));
  }
}

/** Reads the writes of others: new events, and a state only if its version has changed. */
export async function refreshSession(
  queries: Queries,
  session: CachedSession,
  head: SessionHead,
): Promise<void> {
  const { own, user, app, no } = session;
  await readNewEvents(queries, session, head.next_seq);
  if (own.version < head.state_version) own.replace(await readOwnState(queries, no), head.state_version);
  await refreshShared(queries, user, head.user_version);
  await refreshShared(queries, app, head.app_version);
  session.title = titleFrom(head.title);
  session.lastUpdateTime = head.updated_at;
}

/** @param version null while nothing was ever written there */
async function refreshShared(queries: Queries, state: SharedState, version: number | null): Promise<void> {
  if (state.version >= (version ?? 0)) return;
  state.replace(version === null ? [] : await readSharedState(queries, state.address), version ?? 0);
}
