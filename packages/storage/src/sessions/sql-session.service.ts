/* eslint-disable max-lines -- the methods of one contract */
import { type Event, type Session, type SessionKey, SessionService } from '@adorn/core';
import {
  assertName,
  assertScope,
  assertSessionKey,
  checkName,
  checkScope,
  checkSessionKey,
  keyOf,
  persistedDelta,
  persistedEvent,
  openedRun,
  ownState,
  runOfLog,
  SessionNotFoundError,
  withOwnState,
  type AllSessionsQuery,
  type AppendOptions,
  type GetSessionOptions,
  type HeldRun,
  type ListedRun,
  type ListedSession,
  type ListSessionsOptions,
  type OpenRequestQuery,
  type OpenRequestRecord,
  type Mail,
  type RenewedHold,
  type RunHold,
  type RunOpening,
  type RunQuery,
  type RunRecord,
  type RunStatus,
  type SessionRecord,
  type SessionSummary,
  type StateDelta,
  type StateUpdate,
  userDelta,
  ANY,
  checkOptions,
  LIMIT,
  OBJECT,
  type OptionRules,
} from '@adorn/core/backend';

import { deleteArtifactsOf } from '../artifacts/artifact-rows.js';
import type { SqlArtifactService } from '../artifacts/sql-artifact.service.js';
import { checkNumber, type Database, type Queries } from '../database/database.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { EventTooLargeError } from '../errors/errors.js';
import { deleteMemoriesOf } from '../memory/memory-row.js';
import { SessionAppender } from './append/session-appender.js';
import { type CreatedSession, createSession, writeLog } from './create-session.js';
import { overwriteDeleted } from '../database/overwrite-deleted.js';
import { bodyOf } from './event-body.js';
import { allSessions } from './all-sessions.js';
import { listSessions } from './list-sessions.js';
import { OpenRequestIndex, touchWhole } from './open-requests.js';
import {
  deleteMail,
  insertMail,
  listMail,
  listMailboxes,
  refuseMail,
  sessionsWithMail,
} from './mail/mail-rows.js';
import { readExcerpt, readSharedState } from './read-session.js';
import { listRuns } from './runs/list-runs.js';
import { changeHold, findHold, renewHolds } from './runs/run-holds.js';
import { type ScopedDelta, scopedDelta, stateFrom, stateRows } from './state-write.js';
import { SessionLoader } from './session-loader.js';
import { addressesOf } from './shared-state.js';
import { readStateUpdates, updateState, writeStateUpdate } from './state-updates.js';
import { whereKey } from './where-key.js';
import { writeSharedState } from './write-state.js';

export interface SqlSessionOptions {
  /** How many loaded sessions are kept in memory. Default: 1,000. */
  readonly cachedSessions?: number;
  /**
   * The total size of the loaded sessions that are kept in memory, in bytes: the length of their events and states as JSON.
   * A session that is larger is loaded anew for each turn. Default: 256 MiB.
   */
  readonly cachedBytes?: number;
  /** The largest event, and the largest write to a state. Default: 16 MiB. */
  readonly maxEventBytes?: number;
  /** Those that are deleted with their session. */
  readonly artifacts?: SqlArtifactService;
}

/** The sizes of the cache are checked where their limits are known. */
export const SESSION_OPTIONS: OptionRules<SqlSessionOptions> = {
  cachedSessions: ANY,
  cachedBytes: ANY,
  maxEventBytes: LIMIT,
  artifacts: OBJECT,
};

/**
 * Conversations in a database. An event that was acknowledged survives the end of the process and the loss of power.
 *
 * A session that was loaded stays loaded: a later turn reads only what others have appended since.
 */
export class SqlSessionService extends SessionService {
  private readonly loader: SessionLoader;
  private readonly appender: SessionAppender;
  private readonly requests: OpenRequestIndex;
  private readonly maxEventBytes: number;
  private readonly artifacts: SqlArtifactService | undefined;

  /** @throws {StorageOptionInvalidError} */
  constructor(
    private readonly database: Database,
    options: SqlSessionOptions = {},
  ) {
    super();
    checkOptions('new SqlSessionService', options, SESSION_OPTIONS);
    const { cachedSessions = 1000, cachedBytes = 256 * MIB, maxEventBytes = 16 * MIB, artifacts } = options;
    checkNumber('cachedSessions', cachedSessions, { least: 1, most: MOST_SESSIONS });
    checkNumber('cachedBytes', cachedBytes, { least: 1, most: Number.MAX_SAFE_INTEGER });
    this.artifacts = artifacts;
    artifacts?.holdSessions();
    this.loader = new SessionLoader(database, { max: cachedSessions, maxSize: cachedBytes });
    this.requests = new OpenRequestIndex(database, this.loader);
    this.appender = new SessionAppender(database, this.loader, this.requests);
    this.maxEventBytes = maxEventBytes;
  }

  async createSession(key: SessionKey, state: StateDelta = {}): Promise<Session> {
    checkSessionKey(key);
    const delta = this.fitting(state);
    const isBare = delta.app.size + delta.user.size + delta.session.size === 0;
    // One round trip. On SQLite, a transaction costs none, and writers wait in turn for another process.
    const isAlone = isBare && this.database.dialect === 'postgres';
    const create = (queries: Queries): Promise<CreatedSession> =>
      createSession(queries, key, { delta, time: now() });
    const { head, own } = isAlone
      ? await this.database.statement(create, 'beginning')
      : await this.database.transaction(create, 'beginning');
    return this.loader.created(key, head, own);
  }

  async getSession(key: SessionKey, options: GetSessionOptions = {}): Promise<Session | undefined> {
    assertSessionKey(key);
    const isWhole = Object.values(options).every((option) => option === undefined);
    if (isWhole) return this.loader.load(key, 'entering');
    return this.database.snapshot((queries) => readExcerpt(queries, key, options), 'beginning');
  }

  async listSessions(
    owner: Omit<SessionKey, 'sessionId'>,
    options: ListSessionsOptions = {},
  ): Promise<SessionSummary[]> {
    assertScope({ appName: owner.appName, userId: owner.userId });
    return this.database.run((queries) => listSessions(queries, owner, options), 'beginning');
  }

  override allSessions(appName: string, query: AllSessionsQuery = {}): AsyncIterable<ListedSession> {
    assertName('application name', appName);
    return allSessions((read) => this.database.run(read), appName, query);
  }

  async updateSession(key: SessionKey, stateDelta: StateDelta): Promise<Session> {
    assertSessionKey(key);
    const delta = this.fitting(stateDelta);
    await this.database.transaction((queries) => updateState(queries, key, delta, now()));
    return this.loader.require(key);
  }

  /** Deletes its events, state, requests, artifacts and memories in one transaction; data of the user stays. */
  async deleteSession(key: SessionKey): Promise<void> {
    assertSessionKey(key);
    const held = this.loader.heldAt(key);
    this.loader.drop(key);
    const { contents, eventIds } = await this.database.transaction(async (queries) => {
      const row = await lockedSession(queries, this.database.dialect, key);
      const ids = row === undefined ? [] : await eventIdsOf(queries, row.no);
      if (row) await queries.deleteFrom('adorn_sessions').where('no', '=', row.no).execute();
      await deleteMemoriesOf(queries, { ...key, eventIds: ids });
      return { contents: await deleteArtifactsOf(queries, key), eventIds: ids };
    });
    held?.delete();
    await this.artifacts?.release(contents);
    await this.deleted(key, eventIds);
  }

  override async getUserState(
    owner: Omit<SessionKey, 'sessionId'>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { appName, userId } = owner;
    assertScope({ appName, userId });
    const { user } = addressesOf(owner);
    return this.database.run(async (queries) => stateFrom(await readSharedState(queries, user)), 'beginning');
  }

  override async updateUserState(
    owner: Omit<SessionKey, 'sessionId'>,
    stateDelta: StateDelta,
  ): Promise<void> {
    const { appName, userId } = owner;
    checkScope({ appName, userId });
    const rows = stateRows(this.fitting(userDelta(stateDelta)).user);
    const { user: address } = addressesOf(owner);
    await this.database.transaction((queries) => writeSharedState(queries, { address, ...rows }));
  }

  /** Also out of what this process holds; a session that another one opens later reads the state anew. */
  override async deleteUserState(owner: Omit<SessionKey, 'sessionId'>): Promise<number> {
    const { appName, userId } = owner;
    assertScope({ appName, userId });
    const count = await this.database.transaction((queries) => deleteUserState(queries, owner));
    this.loader.dropUserState(owner);
    return count;
  }

  override overwriteDeleted(): Promise<readonly string[]> {
    return overwriteDeleted(this.database);
  }

  async appendEvent(session: Session, event: Event, options: AppendOptions = {}): Promise<Session> {
    return event.partial ? session : this.append(session, [event], options);
  }

  /** A subclass that overrides `appendEvent` sees every event. */
  override appendEvents(
    session: Session,
    events: readonly Event[],
    options: AppendOptions = {},
  ): Promise<Session> {
    if (this.appendEvent !== SqlSessionService.prototype.appendEvent)
      return super.appendEvents(session, events, options);
    return this.append(
      session,
      events.filter(({ partial }) => !partial),
      options,
    );
  }

  override async openRun(key: SessionKey, opening: RunOpening): Promise<RunRecord> {
    assertSessionKey(key);
    checkName('id of an invocation', opening.id);
    const session = await this.loader.require(key, 'beginning');
    const run = await session.inTurn(() => this.appender.append(session, [], { opens: opening }, opening.id));
    return run as RunRecord;
  }

  override async closeRun(
    key: SessionKey,
    run: Pick<RunRecord, 'id' | 'epoch'>,
    status: Exclude<RunStatus, 'open'>,
  ): Promise<void> {
    assertSessionKey(key);
    const no = await this.loader.noOf(key);
    if (no === undefined) return;
    await this.appender.close(no, run, status);
    this.loader.heldAt(key)?.setStatus(run.epoch, status);
  }

  override async listRuns(query: RunQuery): Promise<ListedRun[]> {
    if (query.appName !== undefined) assertName('application name', query.appName);
    const { dialect } = this.database;
    return listRuns({ dialect, read: (work) => this.database.run(work) }, query);
  }

  override listOpenRequests(query: OpenRequestQuery): Promise<OpenRequestRecord[]> {
    return this.requests.list(query);
  }

  override async renewRuns(runs: readonly HeldRun[]): Promise<readonly RenewedHold[]> {
    const numbers = await Promise.all(runs.map((run) => this.loader.noOf(run)));
    const rows = runs.flatMap(({ id, epoch }, index) => {
      const no = numbers[index];
      return no === undefined ? [] : [{ no, id: storedName(id), epoch }];
    });
    const renewed = rows.length === 0 ? [] : await renewHolds(this.database, rows);
    return numbers.map((no) => (no === undefined ? 'lost' : (renewed.shift() ?? 'lost')));
  }

  override async findHold(key: SessionKey): Promise<RunHold | undefined> {
    assertSessionKey(key);
    const { dialect } = this.database;
    return this.database.run((queries) => findHold(queries, dialect, key));
  }

  override async releaseRun(run: HeldRun): Promise<void> {
    await changeHold(this.database, run, 'release');
  }

  override requestCancel(run: HeldRun): Promise<boolean> {
    return changeHold(this.database, run, 'cancel');
  }

  override async noteReader(run: HeldRun): Promise<void> {
    await changeHold(this.database, run, 'read');
  }

  override async postMail(key: SessionKey, mail: Pick<Mail, 'id' | 'body'>): Promise<void> {
    assertSessionKey(key);
    checkName('id of a mail', mail.id);
    const { length } = JSON.stringify(mail.body);
    if (length > this.maxEventBytes) throw new EventTooLargeError('The mail', length, this.maxEventBytes);
    if (!(await this.database.run((queries) => insertMail(queries, key, mail))))
      throw new SessionNotFoundError(key.sessionId);
  }

  override async listMail(key: SessionKey): Promise<readonly Mail[]> {
    assertSessionKey(key);
    const no = await this.loader.noOf(key);
    return no === undefined ? [] : this.database.run((queries) => listMail(queries, no));
  }

  override async deleteMail(key: SessionKey, id: string): Promise<boolean> {
    assertSessionKey(key);
    const no = await this.loader.noOf(key);
    return no !== undefined && (await this.database.run((queries) => deleteMail(queries, no, id)));
  }

  override async refuseMail(key: SessionKey, id: string, refusal: string): Promise<void> {
    assertSessionKey(key);
    const no = await this.loader.noOf(key);
    if (no !== undefined) await this.database.run((queries) => refuseMail(queries, no, id, refusal));
  }

  override async haveMail(keys: readonly SessionKey[]): Promise<readonly boolean[]> {
    const numbers = await Promise.all(keys.map((key) => this.loader.noOf(key)));
    const known = numbers.filter((no) => no !== undefined);
    const found = known.length === 0 ? undefined : await sessionsWithMail(this.database, known);
    return numbers.map((no) => no !== undefined && found?.has(no) === true);
  }

  override async listMailboxes(appName: string): Promise<readonly SessionKey[]> {
    assertName('application name', appName);
    return this.database.run((queries) => listMailboxes(queries, appName));
  }

  override async renameSession(key: SessionKey, title: string): Promise<void> {
    assertSessionKey(key);
    if (title !== '') assertName('title of a session', title);
    const row = await this.database.run((queries) =>
      whereKey(queries.updateTable('adorn_sessions').set({ title: storedName(title) }), key)
        .returning('no')
        .executeTakeFirst(),
    );
    if (!row) throw new SessionNotFoundError(key.sessionId);
  }

  override async stateUpdates(key: SessionKey): Promise<readonly StateUpdate[]> {
    assertSessionKey(key);
    return this.database.run((queries) => readStateUpdates(queries, key));
  }

  /** In one transaction: whole, or not at all. */
  override async importSession(key: SessionKey, record: SessionRecord): Promise<Session> {
    checkSessionKey(key);
    const { stateUpdates = [], run = runOfLog(record.events) } = record;
    const updates = stateUpdates.map(({ seq, stateDelta }) => {
      return { seq, rows: stateRows(this.fitting(ownState(stateDelta)).session) };
    });
    const log = record.events
      .filter(({ partial }) => !partial)
      .map((event) => persistedEvent(withOwnState(event)))
      .map((event) => ({ event, body: bodyOf(event, this.maxEventBytes) }));
    const deltas = [...stateUpdates, ...log.map(({ event }) => event.actions)].map(
      (write) => write.stateDelta,
    );
    const removal = Object.fromEntries(deltas.flatMap(Object.keys).map((name) => [name, null]));
    const delta = this.fitting(ownState({ ...removal, ...record.state }));
    const begin = {
      delta,
      title: record.title,
      nextSeq: log.length,
      run: run && importedRun(run),
      time: log.at(-1)?.event.timestamp ?? now(),
    };
    await this.database.transaction(async (queries) => {
      const { no } = (await createSession(queries, key, begin)).head;
      await writeLog(queries, no, log);
      await touchWhole(
        queries,
        no,
        log.map(({ event }) => event),
      );
      for (const { seq, rows } of updates) {
        if (seq < log.length) await writeStateUpdate(queries, no, seq, rows);
      }
    });
    return this.loader.require(key);
  }

  private async append(session: Session, events: readonly Event[], options: AppendOptions): Promise<Session> {
    const { consumes = [], opens } = options;
    for (const id of consumes) checkName('id of a request', id);
    if (opens) checkName('id of an invocation', opens.id);
    const stored = events
      .map(persistedEvent)
      .map((event) => ({ event, body: bodyOf(event, this.maxEventBytes) }));
    const live = this.loader.held(session) ?? (await this.loader.require(keyOf(session)));
    const runId = events[0]?.invocationId ?? opens?.id ?? '';
    await live.inTurn(() => this.appender.append(live, stored, options, runId));
    return live;
  }

  /** @throws {ValueNotJsonError | EventTooLargeError} */
  private fitting(delta: StateDelta): ScopedDelta {
    const lasting = persistedDelta(delta);
    const { length } = JSON.stringify(lasting);
    if (length > this.maxEventBytes) {
      throw new EventTooLargeError('The state update', length, this.maxEventBytes);
    }
    return scopedDelta(lasting);
  }
}

/** The row of a session, which nobody else can change or refer to until the transaction ends. */
function lockedSession(
  queries: Queries,
  dialect: Database['dialect'],
  key: SessionKey,
): Promise<{ readonly no: number } | undefined> {
  const found = whereKey(queries.selectFrom('adorn_sessions').select('no'), key);
  return (dialect === 'postgres' ? found.forUpdate() : found).executeTakeFirst();
}

/** Deletes the state of a user with its address. Returns how many keys there were. */
async function deleteUserState(queries: Queries, owner: Omit<SessionKey, 'sessionId'>): Promise<number> {
  const { user } = addressesOf(owner);
  const scopes = queries.selectFrom('adorn_scopes').select('no').where('address', '=', user);
  const { numDeletedRows } = await queries
    .deleteFrom('adorn_scope_state')
    .where('scope_no', 'in', scopes)
    .executeTakeFirst();
  await queries.deleteFrom('adorn_scopes').where('address', '=', user).execute();
  return Number(numDeletedRows);
}

async function eventIdsOf(queries: Queries, no: number): Promise<string[]> {
  const rows = await queries.selectFrom('adorn_events').select('id').where('session_no', '=', no).execute();
  return rows.map(({ id }) => nameFrom(id));
}

/** The cache has a place for each. */
const MOST_SESSIONS = 10_000_000;

/** In bytes. */
const MIB = 1024 * 1024;

/** The record of a run in the session that it is imported into. */
function importedRun({ id, continues, status, openedAt }: RunRecord): RunRecord {
  checkName('id of an invocation', id);
  return { ...openedRun({ id, continues, after: 0, at: openedAt }), status };
}

function now(): number {
  return Date.now() / 1000;
}
