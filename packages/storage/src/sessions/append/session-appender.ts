import { AdornError, type AppendOptions, type Event } from '@adorn/core';
import {
  RequestNotPendingError,
  SessionConflictError,
  SessionNotFoundError,
  SessionTakenOverError,
} from '@adorn/core/backend';

import type { Database, Queries } from '../../database/database.js';
import { isBusy, isRefused, isTimeout } from '../../database/storage-fault.js';
import { nameFrom, storedName } from '../../database/stored-name.js';
import type { CachedSession } from '../cached-session.js';
import { epochIn } from '../claim-invocation.js';
import { readNewEvents } from '../read-session.js';
import { type ScopedDelta, scopedDelta, stateWriteOf } from '../state-write.js';
import type { SessionLoader } from '../session-loader.js';
import { appendInOneStatement } from './append-in-one-statement.js';
import { appendInTransaction } from './append-in-transaction.js';
import { AppendQueue, isAlone } from './append-queue.js';
import type { EventWrite, PlacedEvent } from './event-write.js';

/** Writes events into the log, and the sessions that this process holds along with it. */
export class SessionAppender {
  private readonly queue: AppendQueue;

  constructor(
    private readonly database: Database,
    private readonly loader: SessionLoader,
  ) {
    this.queue = new AppendQueue(database);
  }

  /**
   * Appends in the session's turn.
   *
   * @param body the event as it is stored
   */
  async append(session: CachedSession, event: Event, body: string, options: AppendOptions): Promise<void> {
    const delta = scopedDelta(event.actions.stateDelta);
    const write = writeOf(session, event, body, delta, options);
    const placed = await this.write(session, write);
    if (placed === undefined) throw await this.database.run((queries) => refusalOf(queries, session, write));
    await this.follow(session, event, delta, placed);
  }

  private async write(session: CachedSession, write: EventWrite): Promise<PlacedEvent | undefined> {
    const { database } = this;
    try {
      if (database.dialect === 'sqlite') return await this.writeToSqlite(session, write);
      return await database.statement((queries) => appendInOneStatement(queries, write));
    } catch (error) {
      if (isRefused(error, 'answered_once') || isRefused(error, 'answered_seq')) {
        throw await database.run((queries) => answeredBefore(queries, write));
      }
      const kept = await this.findKept(write, error);
      if (kept === undefined) throw error;
      return kept;
    }
  }

  /** A session that has changed is written in a transaction, which reads its current position. */
  private async writeToSqlite(session: CachedSession, write: EventWrite): Promise<PlacedEvent | undefined> {
    const seen = { nextSeq: session.nextSeq, stateVersion: session.own.version };
    if (isAlone(write) && (await this.queue.append({ write, seen }))) {
      return {
        seq: seen.nextSeq,
        ownVersion: seen.stateVersion,
        userVersion: undefined,
        appVersion: undefined,
      };
    }
    return this.database.transaction((queries) => appendInTransaction(queries, write));
  }

  /** The place of an append that was kept although its acknowledgement was lost with the connection. */
  private async findKept({ sessionNo, id }: EventWrite, error: unknown): Promise<PlacedEvent | undefined> {
    if (!AdornError.is(error) || error.code !== 'STORAGE_UNAVAILABLE') return undefined;
    // A lock that outlasted the call let nothing be written, and a server that is frozen does not answer now.
    if (isBusy(error.cause) || isTimeout(error.cause)) return undefined;
    try {
      const found = await this.database.run((queries) =>
        queries
          .selectFrom('adorn_events')
          .select('seq')
          .where('session_no', '=', sessionNo)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      return found && { seq: found.seq, ownVersion: Infinity, userVersion: undefined, appVersion: undefined };
    } catch {
      return undefined;
    }
  }

  /** Applies the write to the cached session; reads the writes of others in between. */
  private async follow(
    session: CachedSession,
    event: Event,
    delta: ScopedDelta,
    placed: PlacedEvent,
  ): Promise<void> {
    const { own, user, app } = session;
    const { events } = session.log;
    if (placed.seq > events.length) {
      await this.database.run((queries) => readNewEvents(queries, session, placed.seq));
    }
    if (placed.seq === events.length) events.push(event);
    session.lastUpdateTime = event.timestamp;
    const isCurrent = [
      own.advance(delta.session, placed.ownVersion),
      user.advance(delta.user, placed.userVersion),
      app.advance(delta.app, placed.appVersion),
    ].every(Boolean);
    if (!isCurrent) await this.loader.refresh(session);
  }
}

function writeOf(
  session: CachedSession,
  event: Event,
  body: string,
  delta: ScopedDelta,
  { consumes = [], expectedSeq, epoch, epochOf = event.invocationId }: AppendOptions,
): EventWrite {
  return {
    sessionNo: session.no,
    id: storedName(event.id),
    invocationId: storedName(event.invocationId),
    timestamp: event.timestamp,
    body,
    ...stateWriteOf({ user: session.user.address, app: session.app.address }, delta),
    opens: event.longRunningToolIds.length === 0 ? [] : event.pending.map(({ id }) => storedName(id)),
    consumes: consumes.map(storedName),
    expectedSeq,
    epoch,
    epochOf: storedName(epochOf),
  };
}

/** Why a session did not take an event. */
async function refusalOf(
  queries: Queries,
  { id }: { readonly id: string },
  { sessionNo, expectedSeq, epoch, epochOf }: EventWrite,
): Promise<Error> {
  const row = await queries
    .selectFrom('adorn_sessions')
    .select(['next_seq', 'epochs'])
    .where('no', '=', sessionNo)
    .executeTakeFirst();
  if (row === undefined) return new SessionNotFoundError(id);
  const current = epochIn(row.epochs, epochOf);
  if (epoch !== undefined && epoch < current)
    return new SessionTakenOverError(id, nameFrom(epochOf), epoch, current);
  return new SessionConflictError(id, expectedSeq ?? row.next_seq, row.next_seq);
}

/** Which of the requests was answered already. */
async function answeredBefore(queries: Queries, { sessionNo, consumes }: EventWrite): Promise<Error> {
  const answered = await queries
    .selectFrom('adorn_requests')
    .select('id')
    .where('session_no', '=', sessionNo)
    .where('id', 'in', consumes)
    .where('answered_seq', 'is not', null)
    .executeTakeFirst();
  return new RequestNotPendingError(nameFrom(answered?.id ?? consumes.join(', ')));
}
