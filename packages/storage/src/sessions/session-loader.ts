import { setImmediate as pause } from 'node:timers/promises';

import type { Session, SessionKey } from '@adorn/core';
import { composedKey, keyOf, SessionNotFoundError, type RunRecord } from '@adorn/core/backend';
import { LRUCache } from 'lru-cache';

import type { Database, Queries } from '../database/database.js';
import type { Lane } from '../database/postgres/connection-queue.js';
import { CachedSession } from './cached-session.js';
import type { SizedEvent } from './event-body.js';
import { type OwnState, readEvents, readOwnState, readSharedState } from './read-session.js';
import { runFrom } from './runs/run-row.js';
import { readHead, type SessionHead, titleFrom } from './session-head.js';
import { addressesOf, SharedState } from './shared-state.js';
import type { StateEntry } from './state-write.js';

/** How many loaded sessions are kept, and their total size: see `CachedSession.size`. */
export interface CacheLimits {
  readonly max: number;
  readonly maxSize: number;
}

/** Loads complete sessions and keeps them up to date. No event is read twice. */
export class SessionLoader {
  private readonly cache: SessionCache;

  constructor(
    private readonly database: Database,
    cached: CacheLimits,
  ) {
    this.cache = new SessionCache(cached);
  }

  /**
   * The session as it is in the database now.
   *
   * @param lane that of the first read. A session whose run is open is not read for a run that begins.
   */
  async load(key: SessionKey, lane: Lane): Promise<CachedSession | undefined> {
    const known = this.cache.find(key);
    if (known) {
      const own = known.lastRun?.status === 'open' ? 'running' : lane;
      if (await known.inTurn(() => this.refresh(known, own))) return known;
    }
    const head = await this.headOf(key, lane);
    if (!head) return undefined;
    // Two that load one session at the same time get one object.
    const other = this.cache.find(key);
    if (other?.no === head.no) {
      await other.inTurn(() => this.refresh(other, 'beginning'));
      return other;
    }
    const session = this.begin(key, head);
    const isLoaded = await session.inTurn(() => this.update(session, 'beginning', head.next_seq));
    return isLoaded ? session : undefined;
  }

  /** @throws {SessionNotFoundError} */
  async require(key: SessionKey, lane: Lane = 'running'): Promise<CachedSession> {
    const session = await this.load(key, lane);
    if (!session) throw new SessionNotFoundError(key.sessionId);
    return session;
  }

  /** A session that this process has just created, with its own state: nothing of it is read if the rest is known. */
  async created(key: SessionKey, head: SessionHead, own: OwnState): Promise<CachedSession> {
    // It may have been loaded since.
    const other = this.cache.find(key);
    if (other?.no === head.no) return other;
    const session = this.begin(key, head);
    await session.inTurn(async () => {
      const user = head.user_version === null ? [] : undefined;
      const app = head.app_version === null ? [] : undefined;
      applyChanges(session, { head, own, user, app });
      this.cache.resized(session);
      if (!isUpToDate(session, head)) await this.update(session, 'beginning', head.next_seq);
    });
    return session;
  }

  /**
   * Reads what is new in a session; to be called in its turn.
   *
   * @returns false where the session is no more, is another one under the same id, or has lost events
   */
  async refresh(session: CachedSession, lane: Lane = 'running'): Promise<boolean> {
    const head = await this.headOf(keyOf(session), lane);
    if (head && head.next_seq < session.nextSeq) {
      this.forget(session);
      return false;
    }
    if (head?.no !== session.no || !isUpToDate(session, head)) {
      return this.update(session, lane === 'entering' ? 'beginning' : lane, head?.next_seq);
    }
    applyChanges(session, { head });
    return true;
  }

  /**
   * Reads a session in which something is new. Returns what `refresh` does.
   *
   * @param nextSeq the length of the log, as far as it is known
   */
  private async update(session: CachedSession, lane: Lane, nextSeq = 0): Promise<boolean> {
    const older = await this.readOlder(session, lane, nextSeq);
    const changes = await this.database.snapshot((queries) => readChanges(queries, session, older), lane);
    if (!changes) {
      this.cache.drop(keyOf(session));
      return false;
    }
    applyChanges(session, changes);
    this.cache.resized(session);
    return true;
  }

  /**
   * Reads the events of a long log but the last ones, in pages, between which the process does other work. A log only
   * grows, so that the state, which is read after them together with the last events, is as of the end of the log.
   */
  private async readOlder(session: CachedSession, lane: Lane, nextSeq: number): Promise<SizedEvent[]> {
    const { no, log } = session;
    const events: SizedEvent[] = [];
    for (let from = log.events.length; nextSeq - from > PAGE; from += PAGE) {
      const range = { afterSeq: from - 1, limit: PAGE };
      for (const event of await this.database.run((queries) => readEvents(queries, no, range), lane))
        events.push(event);
      await pause();
    }
    return events;
  }

  /** The session that this process holds, as it was when it was last read or written. */
  held(session: Session): CachedSession | undefined {
    return session instanceof CachedSession ? session : this.heldAt(keyOf(session));
  }

  heldAt(key: SessionKey): CachedSession | undefined {
    return this.cache.find(key);
  }

  /** The number of the session's row. */
  async noOf(key: SessionKey): Promise<number | undefined> {
    return this.cache.find(key)?.no ?? (await this.headOf(key, 'running'))?.no;
  }

  drop(key: SessionKey): void {
    this.cache.drop(key);
  }

  /**
   * Drops a session whose log has become shorter, with the states that it shares: the rows were restored from a backup
   * while this process held them.
   */
  forget(session: CachedSession): void {
    this.cache.drop(keyOf(session));
    this.cache.dropShared(keyOf(session));
  }

  /** Drops the state of a user that was deleted. */
  dropUserState(owner: Omit<SessionKey, 'sessionId'>): void {
    this.cache.dropUser(owner);
  }

  /** To be called when events were added to a session. */
  resized(session: CachedSession): void {
    this.cache.resized(session);
  }

  private headOf(key: SessionKey, lane: Lane): Promise<SessionHead | undefined> {
    return this.database.run((queries) => readHead(queries, key), lane);
  }

  private begin(key: SessionKey, { no, user_version: version }: SessionHead): CachedSession {
    // The state of the user was deleted since, in this process or another one.
    if (this.cache.sharedOf(key).user.version > (version ?? 0)) this.cache.dropUser(key);
    const { user, app } = this.cache.sharedOf(key);
    return this.cache.keep(new CachedSession(key, no, user, app));
  }
}

/** How many events are read at once: a few milliseconds of work. */
const PAGE = 500;

/** What others have written to a session since it was last read. */
interface SessionChanges {
  readonly head: SessionHead;
  /** Those behind the ones that are known. Default: none. */
  readonly events?: readonly SizedEvent[];
  /** All keys of a state; absent if nobody has written to it. */
  readonly own?: OwnState | undefined;
  readonly user?: readonly StateEntry[] | undefined;
  readonly app?: readonly StateEntry[] | undefined;
}

function isUpToDate({ log, own, user, app }: CachedSession, head: SessionHead): boolean {
  return (
    log.events.length >= head.next_seq &&
    own.version >= head.state_version &&
    user.version >= (head.user_version ?? 0) &&
    app.version >= (head.app_version ?? 0)
  );
}

/**
 * Undefined if the session is no more, or is another one under the same id.
 *
 * @param older the events that were read already
 */
async function readChanges(
  queries: Queries,
  session: CachedSession,
  older: readonly SizedEvent[],
): Promise<SessionChanges | undefined> {
  const { own, user, app, no, log } = session;
  const head = await readHead(queries, keyOf(session));
  if (head?.no !== no) return undefined;
  const known = log.events.length + older.length;
  const latest = head.next_seq > known ? await readEvents(queries, no, { afterSeq: known - 1 }) : [];
  return {
    head,
    events: older.length === 0 ? latest : older.concat(latest),
    own: own.version < head.state_version ? await readOwnState(queries, no) : undefined,
    user: await readShared(queries, user, head.user_version),
    app: await readShared(queries, app, head.app_version),
  };
}

/** @param version null while nothing was ever written there */
async function readShared(
  queries: Queries,
  state: SharedState,
  version: number | null,
): Promise<readonly StateEntry[] | undefined> {
  if (state.version >= (version ?? 0)) return undefined;
  return version === null ? [] : readSharedState(queries, state.address);
}

/** All at once: who holds the session sees a state and the events that wrote it, or neither. */
function applyChanges(session: CachedSession, { head, events = [], own, user, app }: SessionChanges): void {
  for (const event of events) session.push(event);
  if (own) {
    session.own.replace(own.entries, head.state_version);
    session.noteStateSize(own.size);
  }
  replaceShared(session.user, user, head.user_version);
  replaceShared(session.app, app, head.app_version);
  session.note({
    title: titleFrom(head.title),
    lastUpdateTime: head.updated_at,
    lastRun: laterRecord(session.lastRun, runFrom(head)),
  });
}

/** A run may have been closed by this process since the record was read: a run that is over does not open again. */
function laterRecord(known: RunRecord | undefined, read: RunRecord | undefined): RunRecord | undefined {
  const isClosed = known !== undefined && known.status !== 'open' && read?.status === 'open';
  return isClosed && known.epoch === read.epoch ? known : read;
}

/** Another session of the same user may have read the state meanwhile, at a later moment. */
function replaceShared(
  state: SharedState,
  entries: readonly StateEntry[] | undefined,
  version: number | null,
): void {
  if (entries && state.version < (version ?? 0)) state.replace(entries, version ?? 0);
}

/**
 * The sessions that this process has loaded. The latest are kept; the others stay only as long as somebody holds
 * them, so that there is never a second object for one session.
 */
class SessionCache {
  private readonly latest: LRUCache<string, CachedSession>;
  private readonly held = new Held<CachedSession>();
  private readonly shared = new Held<SharedState>();

  constructor(limits: CacheLimits) {
    this.latest = new LRUCache({ ...limits, sizeCalculation: ({ size }) => size + 1 });
  }

  find(key: SessionKey): CachedSession | undefined {
    const address = addressOf(key);
    const session = this.latest.get(address) ?? this.held.get(address);
    if (session && !this.latest.has(address)) this.latest.set(address, session);
    return session;
  }

  /** Counts a session anew, which may push others out. */
  resized(session: CachedSession): void {
    const address = addressOf(keyOf(session));
    if (this.latest.peek(address) !== session) return;
    // A value that is set again keeps its size.
    this.latest.delete(address);
    this.latest.set(address, session);
  }

  keep(session: CachedSession): CachedSession {
    const address = addressOf(keyOf(session));
    this.latest.set(address, session);
    this.held.set(address, session);
    return session;
  }

  drop(key: SessionKey): void {
    this.latest.delete(addressOf(key));
    this.held.delete(addressOf(key));
  }

  dropShared(key: SessionKey): void {
    const { app, user } = addressesOf(key);
    this.shared.delete(app);
    this.shared.delete(user);
  }

  dropUser(owner: Omit<SessionKey, 'sessionId'>): void {
    this.shared.delete(addressesOf(owner).user);
  }

  /** The states that the session shares with others. */
  sharedOf(key: SessionKey): { readonly app: SharedState; readonly user: SharedState } {
    const { app, user } = addressesOf(key);
    return { app: this.sharedAt(app), user: this.sharedAt(user) };
  }

  private sharedAt(address: string): SharedState {
    const known = this.shared.get(address);
    if (known) return known;
    const made = new SharedState(address);
    this.shared.set(address, made);
    return made;
  }
}

/** Values that are not kept alive by being here. */
class Held<Value extends WeakKey> {
  private readonly references = new Map<string, WeakRef<Value>>();
  private readonly ends = new FinalizationRegistry<string>((address) => {
    if (this.references.get(address)?.deref() === undefined) this.references.delete(address);
  });

  get(address: string): Value | undefined {
    return this.references.get(address)?.deref();
  }

  set(address: string, value: Value): void {
    if (this.get(address) === value) return;
    this.references.set(address, new WeakRef(value));
    this.ends.register(value, address);
  }

  delete(address: string): void {
    this.references.delete(address);
  }
}

function addressOf({ appName, userId, sessionId }: SessionKey): string {
  return composedKey(appName, userId, sessionId);
}
