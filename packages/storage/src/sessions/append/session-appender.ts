import { AdornError, type Event } from '@adorn/core';
import {
  mayChangeRequests,
  openRequestsOf,
  RequestNotPendingError,
  SessionConflictError,
  SessionNotFoundError,
  SessionTakenOverError,
  type AppendOptions,
  type RunRecord,
  type RunStatus,
} from '@adorn/core/backend';

import type { Database, Queries } from '../../database/database.js';
import { isBusy, isRefused, isTimeout } from '../../database/storage-fault.js';
import { nameFrom, storedName } from '../../database/stored-name.js';
import type { CachedSession } from '../cached-session.js';
import { readNewEvents } from '../read-session.js';
import type { OpenRequestIndex } from '../open-requests.js';
import type { SessionLoader } from '../session-loader.js';
import { mergedDelta, type ScopedDelta, scopedDelta } from '../state-write.js';
import { AppendQueue } from './append-queue.js';
import { appendToSqlite } from './append-to-sqlite.js';
import { type AppendWrite, appendWriteOf, isLone, type PlacedWrite } from './append-write.js';
import { PostgresWriter } from './postgres-writer.js';

/** An event as it is stored. */
export interface StoredEvent {
  readonly event: Event;
  readonly body: string;
}

/** Writes events into the log, and the sessions that this process holds along with it. */
export class SessionAppender {
  private readonly queue: AppendQueue;
  private readonly postgres: PostgresWriter;

  constructor(
    private readonly database: Database,
    private readonly loader: SessionLoader,
    private readonly requests: OpenRequestIndex,
  ) {
    this.queue = new AppendQueue(database);
    this.postgres = new PostgresWriter(database);
  }

  /**
   * Appends in the session's turn: all events or none, in one transaction.
   *
   * @param runId the id of the run that appends, for the error if another one has the session
   * @returns the run that is opened, if one is
   */
  async append(
    session: CachedSession,
    events: readonly StoredEvent[],
    options: AppendOptions,
    runId: string,
  ): Promise<RunRecord | undefined> {
    const delta = mergedDelta(events.map(({ event }) => scopedDelta(event.actions.stateDelta)));
    const write = appendWriteOf(session, events, delta, options);
    const waited = write.touches && openRequestsOf(session).length > 0;
    const placed = await this.write(session, write);
    if (!placed) {
      throw await this.database.run((queries) => refusalOf(queries, session.id, runId, write));
    }
    const run = openedRun(options, placed);
    const wasKnown = placed.seq === session.nextSeq;
    await this.follow(session, events, delta, placed, run ?? write.becomes);
    if (!wasKnown && !write.touches && events.some(({ event }) => mayChangeRequests(event)))
      await this.requests.touch(session.no, session.nextSeq);
    if (wasKnown && waited) await this.requests.settle(session);
    return run;
  }

  /** Sets the status of a run, unless it was opened again. */
  async close(
    no: number,
    { id, epoch }: Pick<RunRecord, 'id' | 'epoch'>,
    status: Exclude<RunStatus, 'open'>,
  ): Promise<void> {
    const run = storedName(id);
    if (this.database.dialect === 'sqlite') {
      // Should the power fail before the next append, the run is found open: its log tells that it is over.
      const options = { isOne: true, isLasting: false };
      await this.database.atOnce(
        (statements) => statements.prepare(CLOSE_RUN).run([status, no, run, epoch]),
        options,
      );
    } else {
      await this.postgres.close({ session_no: no, id: run, epoch, status });
    }
  }

  private async write(session: CachedSession, write: AppendWrite): Promise<PlacedWrite | undefined> {
    const { database } = this;
    try {
      if (database.dialect === 'sqlite') return await this.writeToSqlite(session, write);
      return await this.postgres.append(write);
    } catch (error) {
      if (isRefused(error, 'answered_once') || isRefused(error, 'answered_seq')) {
        throw await database.run((queries) => answeredBefore(queries, write));
      }
      const kept = await this.findKept(write, error);
      if (!kept) throw error;
      return kept;
    }
  }

  /** A session that has changed is written in a transaction, which reads its current position. */
  private async writeToSqlite(
    { nextSeq, own, lastRun }: CachedSession,
    write: AppendWrite,
  ): Promise<PlacedWrite | undefined> {
    if (isLone(write)) {
      const seen = { nextSeq, stateVersion: own.version, epoch: lastRun?.epoch ?? 0 };
      const placed = await this.queue.append({ write, seen });
      if (placed) return placed;
    }
    return this.database.atOnce((statements) => appendToSqlite(statements, write), { isOne: false });
  }

  /** The place of an append that was kept although its acknowledgement was lost with the connection. */
  private async findKept(
    { sessionNo, events: [event] }: AppendWrite,
    error: unknown,
  ): Promise<PlacedWrite | undefined> {
    if (!event || !AdornError.is(error) || error.code !== 'STORAGE_UNAVAILABLE') return undefined;
    // A lock that outlasted the call let nothing be written, and a server that is frozen does not answer now.
    if (isBusy(error.cause) || isTimeout(error.cause)) return undefined;
    try {
      const found = await this.database.run((queries) =>
        queries
          .selectFrom('adorn_events')
          .select('seq')
          .where('session_no', '=', sessionNo)
          .where('id', '=', event.id)
          .executeTakeFirst(),
      );
      return found && { ...UNKNOWN_VERSIONS, seq: found.seq };
    } catch {
      return undefined;
    }
  }

  /**
   * Applies the write to the cached session; reads the writes of others in between.
   *
   * @param run the opened run, or the new status of the last one
   */
  private async follow(
    session: CachedSession,
    stored: readonly StoredEvent[],
    delta: ScopedDelta,
    placed: PlacedWrite,
    run: RunRecord | AppendWrite['becomes'],
  ): Promise<void> {
    const { own, user, app } = session;
    const { events } = session.log;
    if (placed.seq < events.length) {
      this.loader.forget(session);
      return;
    }
    if (placed.seq > events.length) {
      await this.database.run((queries) => readNewEvents(queries, session, placed.seq));
    }
    for (const [index, { event, body }] of stored.entries()) {
      if (placed.seq + index === events.length) session.push({ event, size: body.length });
      session.note({ lastUpdateTime: event.timestamp });
    }
    this.loader.resized(session);
    if (typeof run === 'string') session.setStatus(placed.epoch, run);
    else if (run) session.note({ lastRun: run });
    const isCurrent = [
      own.advance(delta.session, placed.ownVersion),
      user.advance(delta.user, placed.userVersion),
      app.advance(delta.app, placed.appVersion),
      placed.epoch === (session.lastRun?.epoch ?? 0),
    ].every(Boolean);
    if (!isCurrent) await this.loader.refresh(session);
  }
}

/** The record of the run that an append has opened. */
function openedRun(
  { opens, becomes }: Pick<AppendOptions, 'opens' | 'becomes'>,
  { epoch, resumed }: PlacedWrite,
): RunRecord | undefined {
  if (!opens || !resumed) return undefined;
  const { continues, attempts } = resumed;
  return {
    id: opens.id,
    continues: continues === null ? undefined : nameFrom(continues),
    status: becomes ?? 'open',
    epoch,
    openedAt: opens.at,
    attempts,
  };
}

/** Of a write that is known to be there, and no more: the session is read anew. */
const UNKNOWN_VERSIONS = {
  ownVersion: Infinity,
  userVersion: undefined,
  appVersion: undefined,
  epoch: Infinity,
  resumed: undefined,
};

const CLOSE_RUN = 'update adorn_runs set status = ? where session_no = ? and id = ? and epoch = ?';

/** Why a session did not take an append. */
async function refusalOf(
  queries: Queries,
  sessionId: string,
  runId: string,
  { sessionNo, expectedSeq, expectedEpoch }: AppendWrite,
): Promise<Error> {
  const row = await queries
    .selectFrom('adorn_sessions')
    .select(['next_seq', 'run_epoch'])
    .where('no', '=', sessionNo)
    .executeTakeFirst();
  if (!row) return new SessionNotFoundError(sessionId);
  if (expectedEpoch !== undefined && expectedEpoch !== row.run_epoch)
    return new SessionTakenOverError(sessionId, runId, expectedEpoch, row.run_epoch);
  return new SessionConflictError(sessionId, expectedSeq ?? row.next_seq, row.next_seq);
}

/** Which of the requests was answered already. */
async function answeredBefore(queries: Queries, { sessionNo, answers }: AppendWrite): Promise<Error> {
  const answered = await queries
    .selectFrom('adorn_requests')
    .select('id')
    .where('session_no', '=', sessionNo)
    .where('id', 'in', answers)
    .where('answered_seq', 'is not', null)
    .executeTakeFirst();
  return new RequestNotPendingError(nameFrom(answered?.id ?? answers.join(', ')));
}
