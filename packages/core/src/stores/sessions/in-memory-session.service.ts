/* eslint-disable max-lines -- the methods of one contract */
import { setImmediate as pause } from 'node:timers/promises';

import type { Event } from '../../events/event.js';
import type { Mail } from '../../events/mail.js';
import type {
  HeldRun,
  ListedRun,
  RenewedHold,
  RunHold,
  RunOpening,
  RunQuery,
  RunRecord,
  RunStatus,
} from '../../events/run-record.js';
import { keyOf, logOf, type Session, type SessionKey, type SessionSummary } from '../../events/session.js';
import {
  assertName,
  assertScope,
  assertSessionKey,
  checkName,
  checkScope,
  checkSessionKey,
  frozenJson,
} from '@adorn/schema';
import { persistedDelta, type StateDelta, userDelta } from '../../events/state.js';
import {
  byPlace,
  mayChangeRequests,
  type OpenRequestQuery,
  type OpenRequestRecord,
  openRequestsOf,
} from '../../log/open-requests.js';
import { persistedEvent, type StateUpdate } from './session-record.js';
import { NO_STATE, ScopeValues, StoredSession } from './stored-session.js';
import {
  SessionConflictError,
  SessionExistsError,
  SessionNotFoundError,
  SessionTakenOverError,
} from './errors.js';
import {
  type AllSessionsQuery,
  type AppendOptions,
  type GetSessionOptions,
  type ListedSession,
  type ListSessionsOptions,
  SessionService,
} from './session.service.js';

/** The sessions and state of one application. */
interface AppShelf {
  readonly state: ScopeValues;
  readonly users: Map<string, UserShelf>;
}

interface UserShelf {
  readonly state: ScopeValues;
  readonly sessions: Map<string, StoredSession>;
}

/** Sessions in memory, lost when the process ends: for tests, samples and first steps. */
export class InMemorySessionService extends SessionService {
  private readonly apps = new Map<string, AppShelf>();
  /** The sessions with a run that is open or paused: the only ones that a recovery looks at. */
  private readonly unfinished = new Set<StoredSession>();
  /** The sessions in which a request may be open. */
  private readonly asking = new Set<StoredSession>();
  /** The sessions with mail, in the order in which they got their first. */
  private readonly mailboxes = new Set<StoredSession>();

  createSession(key: SessionKey, state: StateDelta = {}): Promise<Session> {
    return settled(() => {
      checkSessionKey(key);
      const app = this.appShelf(key.appName);
      const user = userShelf(app, key.userId);
      if (user.sessions.has(key.sessionId)) throw new SessionExistsError(key.sessionId);
      const shared = { app: app.state, user: user.state };
      const session = new StoredSession(key, shared, Date.now() / 1000);
      session.update(persistedDelta(state));
      user.sessions.set(key.sessionId, session);
      return session;
    });
  }

  getSession(key: SessionKey, options?: GetSessionOptions): Promise<Session | undefined> {
    return settled(() => {
      const session = this.find(key);
      return !session || !options ? session : session.excerpt(options);
    });
  }

  listSessions(
    { appName, userId }: Omit<SessionKey, 'sessionId'>,
    { limit, offset = 0, after, state = true }: ListSessionsOptions = {},
  ): Promise<SessionSummary[]> {
    return settled(() => {
      assertScope({ appName, userId });
      const owned = [...(this.apps.get(appName)?.users.get(userId)?.sessions.values() ?? [])];
      const listed = after ? sessionsAfter(owned, after) : owned;
      const sorted = listed.reverse().sort((a, b) => b.lastUpdateTime - a.lastUpdateTime);
      const page = sorted.slice(offset, limit === undefined ? undefined : offset + limit);
      return page.map((session) => (state ? session.summary() : { ...session.summary(), state: NO_STATE }));
    });
  }

  override async *allSessions(
    appName: string,
    { updatedBefore = Infinity }: AllSessionsQuery = {},
  ): AsyncGenerator<ListedSession> {
    assertName('application name', appName);
    for (const session of [...this.sessionsOf(appName)]) {
      const { lastUpdateTime, isDeleted } = session;
      if (!isDeleted && lastUpdateTime < updatedBefore) yield { ...keyOf(session), lastUpdateTime };
    }
  }

  updateSession(key: SessionKey, stateDelta: StateDelta): Promise<Session> {
    return settled(() => {
      const session = this.require(key);
      session.update(persistedDelta(stateDelta), Date.now() / 1000);
      return session;
    });
  }

  async deleteSession(key: SessionKey): Promise<void> {
    const session = this.find(key);
    if (session) this.remove(key, session);
    await this.deleted(key, session?.events.map(({ id }) => id) ?? []);
  }

  override getUserState({
    appName,
    userId,
  }: Omit<SessionKey, 'sessionId'>): Promise<Readonly<Record<string, unknown>>> {
    return settled(() => {
      assertScope({ appName, userId });
      return Object.freeze({ ...this.apps.get(appName)?.users.get(userId)?.state.values });
    });
  }

  override updateUserState(
    { appName, userId }: Omit<SessionKey, 'sessionId'>,
    stateDelta: StateDelta,
  ): Promise<void> {
    return settled(() => {
      checkScope({ appName, userId });
      const delta = userDelta(stateDelta);
      const { state } = userShelf(this.appShelf(appName), userId);
      for (const [key, value] of Object.entries(delta)) state.apply(key, value);
    });
  }

  override deleteUserState({ appName, userId }: Omit<SessionKey, 'sessionId'>): Promise<number> {
    return settled(() => {
      assertScope({ appName, userId });
      const users = this.apps.get(appName)?.users;
      const user = users?.get(userId);
      const count = user?.state.clear() ?? 0;
      if (user?.sessions.size === 0) users?.delete(userId);
      return count;
    });
  }

  /** Nothing is left in memory. */
  override overwriteDeleted(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  private remove(key: SessionKey, session: StoredSession): void {
    session.delete();
    this.unfinished.delete(session);
    this.asking.delete(session);
    this.mailboxes.delete(session);
    const users = this.apps.get(key.appName)?.users;
    const user = users?.get(key.userId);
    user?.sessions.delete(key.sessionId);
    // The state of a user outlives the sessions; nothing else does.
    if (user?.sessions.size === 0 && user.state.isEmpty) users?.delete(key.userId);
  }

  appendEvent(session: Session, event: Event, options: AppendOptions = {}): Promise<Session> {
    return settled(() =>
      event.partial ? session : this.appendAll(session, [persistedEvent(event)], options),
    );
  }

  /** A subclass that overrides `appendEvent` sees every event. */
  override appendEvents(
    session: Session,
    events: readonly Event[],
    options: AppendOptions = {},
  ): Promise<Session> {
    const isOverridden = this.appendEvent !== InMemorySessionService.prototype.appendEvent;
    if (isOverridden) return super.appendEvents(session, events, options);
    return settled(() => this.appendAll(session, events.map(persistedEvent), options));
  }

  override openRun(key: SessionKey, opening: RunOpening): Promise<RunRecord> {
    return settled(() => {
      checkName('id of an invocation', opening.id);
      const session = this.require(key);
      refuseOvertaken(session, opening.id, opening.after);
      this.unfinished.add(session);
      return session.open(opening);
    });
  }

  override closeRun(
    key: SessionKey,
    run: Pick<RunRecord, 'id' | 'epoch'>,
    status: Exclude<RunStatus, 'open'>,
  ): Promise<void> {
    return settled(() => {
      const session = this.find(key);
      if (session) this.closeStored(session, run, status);
    });
  }

  override renewRuns(runs: readonly HeldRun[]): Promise<readonly RenewedHold[]> {
    return settled(() => runs.map((run) => this.find(sessionOf(run))?.renew(run) ?? 'lost'));
  }

  override findHold(key: SessionKey): Promise<RunHold | undefined> {
    return settled(() => this.find(key)?.runHold);
  }

  override releaseRun(run: HeldRun): void {
    this.find(sessionOf(run))?.changeHold(run, { renewedAt: undefined, isReleased: true });
  }

  override requestCancel(run: HeldRun): Promise<boolean> {
    return settled(() => this.find(sessionOf(run))?.changeHold(run, { isCancelRequested: true }) ?? false);
  }

  override noteReader(run: HeldRun): void {
    this.find(sessionOf(run))?.changeHold(run, { readAt: Date.now() });
  }

  override async listRuns({ appName, status, limit, ...touched }: RunQuery): Promise<ListedRun[]> {
    if (appName !== undefined) assertName('application name', appName);
    const found: ListedRun[] = [];
    let seen = 0;
    for (const session of status === 'ended' ? this.sessionsOf(appName) : this.unfinished) {
      if (++seen % SESSIONS_AT_ONCE === 0) await pause();
      if (appName !== undefined && session.appName !== appName) continue;
      for (const run of session.allRuns)
        if (run.status === status && isTouched(run, session, touched))
          found.push({ ...keyOf(session), run, hold: run === session.lastRun ? session.runHold : undefined });
    }
    return found.sort((a, b) => a.run.openedAt - b.run.openedAt).slice(0, limit);
  }

  override async listOpenRequests(query: OpenRequestQuery): Promise<OpenRequestRecord[]> {
    assertName('application name', query.appName);
    const found: OpenRequestRecord[] = [];
    let seen = 0;
    for (const session of this.asking) {
      if (++seen % SESSIONS_AT_ONCE === 0) await pause();
      const open = openRequestsOf(session);
      if (open.length === 0) this.asking.delete(session);
      found.push(...open.filter((request) => isListed(request, query)));
    }
    return found.sort(byPlace).slice(0, query.limit);
  }

  override postMail(key: SessionKey, { id, body }: Pick<Mail, 'id' | 'body'>): Promise<void> {
    return settled(() => {
      checkName('id of a mail', id);
      const session = this.require(key);
      if (session.mail.some((one) => one.id === id)) return;
      session.keepMail(frozenJson({ id, body }));
      this.mailboxes.add(session);
    });
  }

  override listMail(key: SessionKey): Promise<readonly Mail[]> {
    return settled(() => this.find(key)?.mail ?? []);
  }

  override deleteMail(key: SessionKey, id: string): Promise<boolean> {
    return settled(() => {
      const session = this.find(key);
      const isDeleted = session?.deleteMail(id) === true;
      if (session?.hasMail === false) this.mailboxes.delete(session);
      return isDeleted;
    });
  }

  override refuseMail(key: SessionKey, id: string, refusal: string): void {
    const session = this.find(key);
    const mail = session?.mail.find((one) => one.id === id);
    if (session && mail) session.keepMail(Object.freeze({ ...mail, refusal }));
  }

  override haveMail(keys: readonly SessionKey[]): Promise<readonly boolean[]> {
    return settled(() => keys.map((key) => this.find(sessionOf(key))?.hasMail === true));
  }

  override listMailboxes(appName: string): Promise<readonly SessionKey[]> {
    return settled(() => [...this.mailboxes].filter((one) => one.appName === appName).map(keyOf));
  }

  override renameSession(key: SessionKey, title: string): Promise<void> {
    return settled(() => {
      if (title !== '') assertName('title of a session', title);
      this.require(key).rename(title);
    });
  }

  override stateUpdates(key: SessionKey): Promise<readonly StateUpdate[]> {
    return settled(() => this.find(key)?.stateUpdates ?? []);
  }

  /** @param events as `persistedEvent` returns them */
  private appendAll(session: Session, events: readonly Event[], options: AppendOptions): StoredSession {
    const { consumes, epoch, opens, becomes } = options;
    if (consumes) for (const id of consumes) checkName('id of a request', id);
    const isLive = session instanceof StoredSession && !session.isDeleted;
    const stored = isLive ? session : this.require(keyOf(session));
    refuseStale(stored, events[0]?.invocationId ?? '', options);
    if (consumes) stored.consume(consumes);
    if (opens) {
      this.unfinished.add(stored);
      stored.open(opens);
    }
    for (const event of events) {
      stored.push(event);
      if (mayChangeRequests(event)) this.asking.add(stored);
    }
    const run = stored.lastRun;
    if (becomes !== undefined && run && (opens || epoch === run.epoch))
      this.closeStored(stored, run, becomes);
    return stored;
  }

  private closeStored(session: StoredSession, run: Pick<RunRecord, 'id' | 'epoch'>, status: RunStatus): void {
    session.close(run, status);
    if (!session.hasUnfinishedRun) this.unfinished.delete(session);
  }

  private *sessionsOf(appName: string | undefined): Generator<StoredSession> {
    const apps = appName === undefined ? this.apps.values() : [this.apps.get(appName)];
    for (const app of apps) for (const { sessions } of app?.users.values() ?? []) yield* sessions.values();
  }

  private require(key: SessionKey): StoredSession {
    const session = this.find(key);
    if (!session) throw new SessionNotFoundError(key.sessionId);
    return session;
  }

  private find(key: SessionKey): StoredSession | undefined {
    assertSessionKey(key);
    const { appName, userId, sessionId } = key;
    return this.apps.get(appName)?.users.get(userId)?.sessions.get(sessionId);
  }

  private appShelf(appName: string): AppShelf {
    let shelf = this.apps.get(appName);
    if (!shelf) this.apps.set(appName, (shelf = { state: new ScopeValues(), users: new Map() }));
    return shelf;
  }
}

function sessionOf({ appName, userId, sessionId }: SessionKey): SessionKey {
  return { appName, userId, sessionId };
}

/** How many sessions `listRuns` looks at before the process does other work. */
const SESSIONS_AT_ONCE = 2_000;

function userShelf({ users }: AppShelf, userId: string): UserShelf {
  let shelf = users.get(userId);
  if (!shelf) users.set(userId, (shelf = { state: new ScopeValues(), sessions: new Map() }));
  return shelf;
}

/** The sessions that are listed after the place of another, which may have been updated or deleted since. */
function sessionsAfter(
  created: readonly StoredSession[],
  { id, lastUpdateTime }: NonNullable<ListSessionsOptions['after']>,
): StoredSession[] {
  const index = created.findIndex((session) => session.id === id);
  const earlier = new Set(index === -1 ? created : created.slice(0, index));
  return created.filter((session) => {
    const isSameTime = session.lastUpdateTime === lastUpdateTime;
    return isSameTime ? earlier.has(session) : session.lastUpdateTime < lastUpdateTime;
  });
}

/** @throws {SessionTakenOverError | SessionConflictError} */
function refuseStale(
  session: StoredSession,
  invocationId: string,
  { expectedSeq, epoch, opens }: AppendOptions,
): void {
  const expected = opens?.after ?? epoch;
  if (expected !== undefined) refuseOvertaken(session, invocationId, expected);
  if (expectedSeq !== undefined && expectedSeq !== session.nextSeq) {
    throw new SessionConflictError(session.id, expectedSeq, session.nextSeq);
  }
}

/** @throws {SessionTakenOverError} if another run has taken the session */
function refuseOvertaken(session: StoredSession, invocationId: string, epoch: number): void {
  const current = session.lastRun?.epoch ?? 0;
  if (epoch !== current) throw new SessionTakenOverError(session.id, invocationId, epoch, current);
}

/** True if the run was opened, and its session got its last event, in the time. */
function isTouched(
  { openedAt }: RunRecord,
  session: StoredSession,
  { touchedBefore = Infinity, touchedSince = -Infinity }: Pick<RunQuery, 'touchedBefore' | 'touchedSince'>,
): boolean {
  const touchedAt = Math.max(openedAt, logOf(session).at(-1)?.timestamp ?? 0);
  return touchedAt < touchedBefore && touchedAt >= touchedSince;
}

/** True for a request that a query asks for, and that comes after the page before. */
function isListed(
  request: OpenRequestRecord,
  { appName, userId, tool, askedBefore = Infinity, after }: OpenRequestQuery,
): boolean {
  if (request.appName !== appName || request.askedAt >= askedBefore) return false;
  if (userId !== undefined && request.userId !== userId) return false;
  if (tool !== undefined && request.tool !== tool) return false;
  return after === undefined || byPlace(request, after) > 0;
}

/** Runs synchronous work and returns a promise: a throw becomes a rejection. */
function settled<Result>(work: () => Result): Promise<Result> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a value of a state may throw anything
    return Promise.reject(error);
  }
}
