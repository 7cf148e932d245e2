import { setImmediate as pause } from 'node:timers/promises';

import { AdornError, type Event, type SessionKey } from '@adorn/core';
import {
  assertName,
  mayChangeRequests,
  type OpenRequestQuery,
  type OpenRequestRecord,
  openRequestsOf,
} from '@adorn/core/backend';

import type { Database, Queries } from '../database/database.js';
import { storedObject } from '../database/stored-json.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { rowsPerStatement } from '../database/tables.js';
import type { CachedSession } from './cached-session.js';
import type { SessionLoader } from './session-loader.js';

/**
 * The open requests of all sessions. Whoever appends an event that may open, close or change one marks its session in the same
 * transaction. Whoever lists requests first reads the logs of the marked sessions, so that the rows say what the logs say, whatever
 * process wrote them and however it ended.
 */
export class OpenRequestIndex {
  constructor(
    private readonly database: Database,
    private readonly loader: SessionLoader,
  ) {}

  /** The requests of an application, the oldest first. */
  async list(query: OpenRequestQuery): Promise<OpenRequestRecord[]> {
    assertName('application name', query.appName);
    await this.catchUp(storedName(query.appName));
    return this.database.run((queries) => readRequests(queries, query));
  }

  /** Marks a session into whose log others have written what its last writer did not know. */
  async touch(no: number, seq: number): Promise<void> {
    await this.database.run((queries) => touch(queries, no, seq));
  }

  /** Removes the mark of a session that waits for nobody: nobody has to read its log for that. */
  async settle(session: CachedSession): Promise<void> {
    if (openRequestsOf(session).length > 0) return;
    const { no, nextSeq } = session;
    await this.database.run((queries) => clear(queries, no, nextSeq));
  }

  private async catchUp(app: string): Promise<void> {
    for (let after = 0; ;) {
      const marked = await this.database.run((queries) => readMarked(queries, app, after));
      for (const one of marked) await this.index(one);
      const last = marked.at(-1);
      if (!last || marked.length < PAGE) return;
      after = last.no;
      await pause();
    }
  }

  /** A session whose rows are damaged keeps its mark, and hides no request of the others. */
  private async index({ no, key }: MarkedSession): Promise<void> {
    let session: CachedSession | undefined;
    try {
      session = await this.loader.load(key, 'beginning');
    } catch (error) {
      if (AdornError.is(error) && error.code === 'STORAGE_ROW_DAMAGED') return;
      throw error;
    }
    if (session?.no !== no) return;
    const seq = session.nextSeq;
    const requests = openRequestsOf(session);
    if (requests.length === 0) await this.database.run((queries) => clear(queries, no, seq));
    else await this.database.transaction((queries) => replaceRows(queries, { no, seq, requests }));
  }
}

/** How many marked sessions are looked at before the process does other work. */
const PAGE = 100;

interface MarkedSession {
  readonly no: number;
  readonly key: SessionKey;
}

async function readMarked(queries: Queries, app: string, after: number): Promise<MarkedSession[]> {
  const rows = await queries
    .selectFrom('adorn_asking as asking')
    .innerJoin('adorn_sessions as session', 'session.no', 'asking.session_no')
    .where('session.app', '=', app)
    .where('asking.session_no', '>', after)
    .whereRef('asking.indexed_seq', '<', 'asking.touched_seq')
    .orderBy('asking.session_no')
    .limit(PAGE)
    .select(['session.no', 'session.app', 'session.user_id', 'session.id'])
    .execute();
  return rows.map(({ no, user_id, id }) => ({
    no,
    key: { appName: nameFrom(app), userId: nameFrom(user_id), sessionId: nameFrom(id) },
  }));
}

/** Marks a session in the transaction of a write. */
export async function touch(queries: Queries, no: number, seq: number): Promise<void> {
  await queries
    .insertInto('adorn_asking')
    .values({ session_no: no, touched_seq: seq })
    .onConflict((conflict) => conflict.column('session_no').doUpdateSet({ touched_seq: seq }))
    .execute();
}

/** Marks the session of a log that is written whole, if a request may be open in it. */
export async function touchWhole(queries: Queries, no: number, log: readonly Event[]): Promise<void> {
  if (log.some((event) => mayChangeRequests(event))) await touch(queries, no, log.length);
}

async function clear(queries: Queries, no: number, seq: number): Promise<void> {
  await queries
    .deleteFrom('adorn_asking')
    .where('session_no', '=', no)
    .where('touched_seq', '<=', seq)
    .execute();
}

/** The rows of a session as of an event; nothing if others know of a later one. To be done in a transaction. */
async function replaceRows(
  queries: Queries,
  {
    no,
    seq,
    requests,
  }: { readonly no: number; readonly seq: number; readonly requests: readonly OpenRequestRecord[] },
): Promise<void> {
  const marked = await queries
    .updateTable('adorn_asking')
    .set({ indexed_seq: seq })
    .where('session_no', '=', no)
    .where('touched_seq', '<=', seq)
    .where('indexed_seq', '<', seq)
    .returning('session_no')
    .executeTakeFirst();
  if (!marked) return;
  await queries.deleteFrom('adorn_open_requests').where('session_no', '=', no).execute();
  const rows = requests.map((request) => ({
    session_no: no,
    id: storedName(request.id),
    app: storedName(request.appName),
    user_id: storedName(request.userId),
    session_id: storedName(request.sessionId),
    tool: storedName(request.tool),
    asked_at: request.askedAt,
    body: JSON.stringify(request),
  }));
  for (const portion of rowsPerStatement(rows))
    await queries.insertInto('adorn_open_requests').values(portion).execute();
}

async function readRequests(
  queries: Queries,
  { appName, userId, tool, askedBefore, after, limit }: OpenRequestQuery,
): Promise<OpenRequestRecord[]> {
  let page = queries
    .selectFrom('adorn_open_requests')
    .select(['session_no', 'id', 'body'])
    .where('app', '=', storedName(appName))
    .orderBy('asked_at')
    .orderBy('user_id')
    .orderBy('session_id')
    .orderBy('id');
  if (userId !== undefined) page = page.where('user_id', '=', storedName(userId));
  if (tool !== undefined) page = page.where('tool', '=', storedName(tool));
  if (askedBefore !== undefined) page = page.where('asked_at', '<', askedBefore);
  if (after) {
    const place = [
      after.askedAt,
      storedName(after.userId),
      storedName(after.sessionId),
      storedName(after.id),
    ];
    const [askedAt, user, session, id] = place as [number, string, string, string];
    page = page.where((eb) =>
      eb(eb.refTuple('asked_at', 'user_id', 'session_id', 'id'), '>', eb.tuple(askedAt, user, session, id)),
    );
  }
  if (limit !== undefined) page = page.limit(limit);
  const rows = await page.execute();
  return rows.map(({ session_no, id, body }) => {
    const row = (): string => `session_no ${String(session_no)}, id ${id}`;
    return storedObject(body, 'adorn_open_requests', row) as OpenRequestRecord;
  });
}
