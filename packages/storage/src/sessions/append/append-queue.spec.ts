import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Event, type Session, type SessionKey } from '@adorn/core';

import { Database } from '../../database/database.js';
import {
  libsqlDriver,
  type SqliteConnection,
  type SqliteDriver,
} from '../../database/sqlite/sqlite-driver.js';
import { SqlSessionService } from '../sql-session.service.js';

const IDS = ['a', 'b', 'c'];

describe('appends to SQLite that come together', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-queue-'));
  const opened: Database[] = [];
  let path = '';
  let count = 0;

  beforeEach(() => {
    path = join(folder, `${String(count++)}.db`);
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function open(sqliteDriver: SqliteDriver = libsqlDriver): SqlSessionService {
    const database = new Database(path, { sqliteDriver });
    opened.push(database);
    return new SqlSessionService(database);
  }

  it('wait for the disk once', async () => {
    const ran: string[] = [];
    const sessions = open(watching((text) => ran.push(text)));
    const created = await createAll(sessions);
    ran.length = 0;

    await Promise.all(created.map((session) => sessions.appendEvent(session, eventOf('together'))));

    expect(ran.filter((text) => text === 'commit')).toHaveLength(1);
    expect(await textsOf(open())).toEqual(IDS.map(() => ['together']));
  });

  it('are one statement where one comes alone', async () => {
    const ran: string[] = [];
    const sessions = open(watching((text) => ran.push(text)));
    const [session] = await createAll(sessions);
    ran.length = 0;

    await sessions.appendEvent(session!, eventOf('alone'));

    expect(ran).toEqual([expect.stringContaining('insert into adorn_events')]);
  });

  it('are one statement where a run goes on, one transaction where it begins, and do not wait for its end', async () => {
    const ran: string[] = [];
    const sessions = open(watching((text) => ran.push(text)));
    const [session] = await createAll(sessions);
    ran.length = 0;

    await sessions.appendEvent(session!, eventOf('first'), { opens: { id: 'e-1', after: 0, at: 1 } });
    expect(ran[0]).toBe('begin immediate');
    expect(ran.filter((text) => text === 'commit')).toHaveLength(1);
    ran.length = 0;
    await sessions.appendEvent(session!, eventOf('second'), { epoch: 1 });
    expect(ran).toEqual([expect.stringContaining('insert into adorn_events')]);
    ran.length = 0;
    await sessions.closeRun(keyOf('a'), { id: 'e-1', epoch: 1 }, 'ended');

    expect(ran).toEqual([
      'PRAGMA synchronous = NORMAL',
      expect.stringContaining('update adorn_runs'),
      'PRAGMA synchronous = FULL',
    ]);
    expect((await open().getSession(keyOf('a')))?.lastRun).toMatchObject({ id: 'e-1', status: 'ended' });
  });

  it('wait for the disk once where several runs begin', async () => {
    const ran: string[] = [];
    const sessions = open(watching((text) => ran.push(text)));
    const created = await createAll(sessions);
    ran.length = 0;

    const opens = { id: 'e-1', after: 0, at: 1 };
    await Promise.all(created.map((session) => sessions.appendEvent(session, eventOf('go'), { opens })));

    expect(ran.filter((text) => text === 'commit')).toHaveLength(1);
    expect(created.map(({ lastRun }) => lastRun?.epoch)).toEqual([1, 1, 1]);
    expect(await open().listRuns({ status: 'open' })).toHaveLength(3);
  });

  it('do not wait for others where one session writes again', async () => {
    const sessions = open();
    const [session] = await createAll(sessions);
    await sessions.appendEvent(session!, eventOf('first'));
    await new Promise(setImmediate);
    let turned = false;
    setImmediate(() => (turned = true));

    await sessions.appendEvent(session!, eventOf('second'));

    expect(turned).toBe(false);
    expect(textsIn(session!)).toEqual(['first', 'second']);
  });

  it('stay out of a transaction that is open, and is taken back', async () => {
    const sessions = open();
    const [session] = await createAll(sessions);
    await sessions.appendEvent(session!, eventOf('before'));
    const [database] = opened;
    let appended: Promise<unknown> | undefined;

    const takenBack = database!.transaction(async (queries) => {
      await queries.updateTable('adorn_sessions').set({ title: 'lost' }).execute();
      appended = sessions.appendEvent(session!, eventOf('kept'));
      await sleep(20);
      throw new Error('taken back');
    });

    await expect(takenBack).rejects.toThrow('taken back');
    await appended;
    expect((await open().getSession(keyOf('a')))!).toMatchObject({ title: undefined, nextSeq: 2 });
  });

  it('are all kept where another process has appended to one of the sessions', async () => {
    const sessions = open();
    const created = await createAll(sessions);
    const elsewhere = open();
    await elsewhere.appendEvent((await elsewhere.getSession(keyOf('b')))!, eventOf('from elsewhere'));

    await Promise.all(created.map((session) => sessions.appendEvent(session, eventOf('together'))));

    expect(created.map(textsIn)).toEqual([['together'], ['from elsewhere', 'together'], ['together']]);
    expect(await textsOf(open())).toEqual(created.map(textsIn));
  });

  it('are all refused, and none is written, where the disk is full', async () => {
    let isFull = false;
    const full = watching((text) => {
      if (isFull && text === 'commit') throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    });
    const sessions = open(full);
    const created = await createAll(sessions);
    isFull = true;

    const refused = created.map((session) => sessions.appendEvent(session, eventOf('lost')));
    const outcomes = await Promise.allSettled(refused);
    isFull = false;
    await Promise.all(created.map((session) => sessions.appendEvent(session, eventOf('kept'))));

    expect(outcomes).toEqual(
      IDS.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'STORAGE_FULL' }) })),
    );
    expect(created.map(textsIn)).toEqual(IDS.map(() => ['kept']));
    expect(await textsOf(open())).toEqual(IDS.map(() => ['kept']));
  });

  it('are refused where the session was deleted, and the others are kept', async () => {
    const sessions = open();
    const created = await createAll(sessions);
    await open().deleteSession(keyOf('b'));

    const outcomes = await Promise.allSettled(
      created.map((session) => sessions.appendEvent(session, eventOf('together'))),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'SESSION_NOT_FOUND' } });
  });
});

function keyOf(sessionId: string): SessionKey {
  return { appName: 'shop', userId: 'ada', sessionId };
}

function eventOf(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}

function createAll(sessions: SqlSessionService): Promise<Session[]> {
  return Promise.all(IDS.map((id) => sessions.createSession(keyOf(id))));
}

function textsIn({ events }: Session): unknown[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

function textsOf(sessions: SqlSessionService): Promise<unknown[][]> {
  return Promise.all(IDS.map(async (id) => textsIn((await sessions.getSession(keyOf(id)))!)));
}

/** libsql, and the text of every statement before it is run. */
function watching(see: (text: string) => void): SqliteDriver {
  return async (path) => {
    const connection = await libsqlDriver(path);
    const prepare: SqliteConnection['prepare'] = (text) => {
      const statement = connection.prepare(text);
      const seen = <Result>(work: () => Result): Result => {
        see(text.trim());
        return work();
      };
      return {
        reader: statement.reader,
        all: (parameters) => seen(() => statement.all(parameters)),
        run: (parameters) => seen(() => statement.run(parameters)),
      };
    };
    return {
      prepare,
      exec: (text) => {
        see(text);
        return connection.exec(text);
      },
      close: () => {
        connection.close();
      },
    };
  };
}
