import { setTimeout as sleep } from 'node:timers/promises';

import { Event, type SessionKey } from '@adorn/core';
import { sql } from 'kysely';

import { SqlSessionService } from '../../sessions/sql-session.service.js';
import { Database, type DatabaseOptions } from '../database.js';
import { A_MINUTE, newPostgresDatabase } from '../postgres-database.fixture.js';
import { ConnectionQueue } from './connection-queue.js';

const KEY: SessionKey = { appName: 'shop', userId: 'ada', sessionId: 's1' };

describe('calls that wait for a connection', () => {
  const opened: Database[] = [];
  let url: string;
  beforeAll(async () => {
    url = await newPostgresDatabase();
  }, A_MINUTE);
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  async function open(options: DatabaseOptions): Promise<Database> {
    const database = new Database(url, options);
    opened.push(database);
    await database.open();
    return database;
  }

  it('wait longer than a statement may take', async () => {
    const database = await open({ poolSize: 1, timeout: 400 });

    const slept = Array.from({ length: 8 }, () => pause(database, 0.1));

    await expect(Promise.all(slept)).resolves.toHaveLength(8);
  });

  it('are served by their lanes, and in a lane in their order', async () => {
    const database = await open({ poolSize: 1 });
    const served: string[] = [];
    const held = pause(database, 0.2);
    await sleep(50);

    const calls = (['entering', 'beginning', 'entering', 'running', 'beginning', 'running'] as const).map(
      (lane, index) =>
        database
          .run((queries) => sql`select 1`.execute(queries), lane)
          .then(() => {
            served.push(`${lane} ${String(index)}`);
          }),
    );
    await Promise.all([held, ...calls]);

    expect(served).toEqual([
      'running 3',
      'running 5',
      'beginning 1',
      'beginning 4',
      'entering 0',
      'entering 2',
    ]);
  });

  it('are refused where more runs wait to begin than may, and runs that have begun go on', async () => {
    const database = await open({ poolSize: 1, maxWaitingRuns: 2 });
    const sessions = new SqlSessionService(database);
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent(session, said('Hi'), { opens: { id: 'e-1', after: 0, at: 1 } });
    const held = pause(database, 0.3);
    await sleep(50);

    const waiting = ['s2', 's3'].map((sessionId) => sessions.getSession({ ...KEY, sessionId }));
    await expect(sessions.getSession({ ...KEY, sessionId: 's4' })).rejects.toMatchObject({
      code: 'SERVER_BUSY',
      message: expect.stringContaining('Nothing was stored'),
    });
    const appended = sessions.appendEvent(session, said('More'), { epoch: 1 });
    const read = sessions.getSession(KEY);

    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect((await appended).nextSeq).toBe(2);
    expect((await read)?.lastRun?.status).toBe('open');
    await held;
    expect(await sessions.getSession({ ...KEY, sessionId: 's4' })).toBeUndefined();
  });

  it('fail together where the server does not answer, and later calls try again', async () => {
    const queue = new ConnectionQueue({ size: 1, maxEntering: 10, timeout: 50 });
    await queue.acquire('running');
    const waiting = [queue.acquire('running'), queue.acquire('entering')];
    const outcomes = Promise.allSettled(waiting);
    const fault = new Error('silent');
    await sleep(60);
    queue.noteFault(fault);
    queue.release();

    expect(await outcomes).toEqual(waiting.map(() => ({ status: 'rejected', reason: fault })));
    await expect(queue.acquire('entering')).resolves.toBeUndefined();
  });
});

function pause(database: Database, seconds: number): Promise<unknown> {
  return database.run((queries) => sql`select pg_sleep(${seconds})`.execute(queries));
}

function said(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}
