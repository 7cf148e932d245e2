import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Event, type Session, type SessionKey } from '@adorn/core';

import { SqlSessionService } from '../../sessions/sql-session.service.js';
import { Database, type DatabaseOptions } from '../database.js';
import { libsqlDriver, type SqliteConnection, type SqliteDriver } from './sqlite-driver.js';

const KEY: SessionKey = { appName: 'shop', userId: 'ada', sessionId: 's1' };

type Write = (sessions: SqlSessionService, held: readonly Session[]) => Promise<unknown>;

/** Every way of writing: an event alone, one with state, several at once, a transaction, a single statement. */
const WRITES: readonly [string, Write][] = [
  ['an event', (sessions, [session]) => sessions.appendEvent(session!, eventOf('written'))],
  [
    'an event with state',
    (sessions, [session]) => sessions.appendEvent(session!, eventOf('written', { a: 1 })),
  ],
  [
    'events of two sessions at once',
    (sessions, held) => Promise.all(held.map((session) => sessions.appendEvent(session, eventOf('written')))),
  ],
  ['a new session', (sessions) => sessions.createSession({ ...KEY, sessionId: 's3' })],
  ['a title', (sessions) => sessions.renameSession(KEY, 'Refund')],
];

describe('SQLite beside a second writer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-writers-'));
  const opened: Database[] = [];
  const connections: SqliteConnection[] = [];
  let path = '';
  let count = 0;

  beforeEach(() => {
    path = join(folder, `${String(count++)}.db`);
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    for (const database of opened.splice(0)) await database.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function open(options: DatabaseOptions = {}): SqlSessionService {
    const database = new Database(path, options);
    opened.push(database);
    return new SqlSessionService(database);
  }

  /** Another program that writes a table of its own. */
  async function otherWriter(): Promise<SqliteConnection> {
    const other = await libsqlDriver(path);
    connections.push(other);
    other.exec('PRAGMA busy_timeout = 1000');
    other.exec('create table if not exists theirs (value integer)');
    return other;
  }

  describe.each(WRITES)('%s', (_name, write) => {
    it.each([
      ['wrote', ['insert into theirs values (1)', 'commit']],
      ['wrote nothing', ['rollback']],
    ])('waits for the other, which %s, and leaves nothing behind', async (_outcome, statements) => {
      let met = 0;
      const onBusy = (): void => {
        met++;
        if (met === 3) for (const statement of statements) other.exec(statement);
      };
      const sessions = open({ sqliteDriver: watched({ onBusy }) });
      const held = [
        await sessions.createSession(KEY),
        await sessions.createSession({ ...KEY, sessionId: 's2' }),
      ];
      for (const session of held) await sessions.appendEvent(session, eventOf('before'));
      const other = await otherWriter();
      other.exec('begin immediate');
      await new Promise(setImmediate);

      await write(sessions, held);

      expect(met).toBeGreaterThanOrEqual(3);
      other.exec('insert into theirs values (2)');
      const elsewhere = open();
      await elsewhere.appendEvent((await elsewhere.getSession(KEY))!, eventOf('elsewhere'));
      const [session] = held;
      await sessions.getSession(KEY);
      expect(textsIn(session!).at(-1)).toBe('elsewhere');
      await sessions.updateSession(KEY, { mood: 'calm' });
      await sessions.appendEvent(session!, eventOf('after'));
      expect(textsIn((await open().getSession(KEY))!)).toEqual(textsIn(session!));
    });
  });

  it('reads while its own writers wait for the lock', async () => {
    const sessions = open();
    const session = await sessions.createSession(KEY);
    const other = await otherWriter();
    other.exec('begin immediate');
    let isWritten = false;
    const written = Promise.all([
      sessions.createSession({ ...KEY, sessionId: 's2' }),
      sessions.appendEvent(session, eventOf('written', { a: 1 })),
    ]).then(() => (isWritten = true));

    const listed = await sessions.listSessions(KEY);
    expect(await open().getSession(KEY)).toMatchObject({ id: 's1' });

    expect(listed.map(({ id }) => id)).toEqual(['s1']);
    expect(isWritten).toBe(false);
    other.exec('rollback');
    await written;
  });

  it('gives up on all writers at once when the lock outlasts them, and writes again later', async () => {
    const attempts: string[] = [];
    const ended: string[] = [];
    const sessions = open({
      timeout: 100,
      sqliteDriver: watched({
        onBusy: () => attempts.push(ended.length === 0 ? 'before the first gave up' : 'after'),
      }),
    });
    await sessions.createSession(KEY);
    const other = await otherWriter();
    other.exec('begin immediate');

    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((sessionId) =>
        sessions.createSession({ ...KEY, sessionId }).finally(() => ended.push(sessionId)),
      ),
    );

    expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(4).fill('rejected'));
    expect(outcomes[3]).toMatchObject({ reason: { code: 'STORAGE_UNAVAILABLE' } });
    expect(attempts).not.toContain('after');
    other.exec('rollback');
    expect(await sessions.createSession({ ...KEY, sessionId: 'e' })).toMatchObject({ id: 'e' });
  });

  it('leaves nothing open of an append that gave up', async () => {
    const sessions = open({ timeout: 0 });
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent(session, eventOf('before'));
    const other = await otherWriter();
    other.exec('begin immediate');
    // In a new turn of the event loop the append is made at once.
    await new Promise(setImmediate);
    const refused = sessions.appendEvent(session, eventOf('refused'));
    await expect(refused).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    other.exec('insert into theirs values (1)');
    other.exec('commit');

    const elsewhere = open();
    await elsewhere.appendEvent((await elsewhere.getSession(KEY))!, eventOf('elsewhere'));

    expect(textsIn((await sessions.getSession(KEY))!)).toEqual(['before', 'elsewhere']);
    await sessions.updateSession(KEY, { mood: 'calm' });
    expect((await elsewhere.getSession(KEY))!.state).toEqual({ mood: 'calm' });
  });

  it('leaves a file that is whole without its log', async () => {
    const sessions = open();
    await sessions.appendEvent(await sessions.createSession(KEY), eventOf('kept'));
    await opened[0]!.close();

    copyFileSync(path, `${path}.copy`);

    path = `${path}.copy`;
    expect(textsIn((await open().getSession(KEY))!)).toEqual(['kept']);
  });
});

function eventOf(text: string, stateDelta = {}): Event {
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    content: { role: 'model', parts: [{ text }] },
    actions: { stateDelta },
  });
}

function textsIn({ events }: Session): unknown[] {
  return events.map(({ text }) => text);
}

/** libsql, and a call for every statement that another connection's lock refused. */
function watched({ onBusy }: { readonly onBusy: () => void }): SqliteDriver {
  const tell = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) onBusy();
      throw error;
    }
  };
  return async (path) => {
    const connection = await libsqlDriver(path);
    return {
      prepare: (text) => {
        const statement = connection.prepare(text);
        return {
          reader: statement.reader,
          all: (parameters) => tell(() => statement.all(parameters)),
          run: (parameters) => tell(() => statement.run(parameters)),
          get: (parameters) => statement.get?.(parameters),
        };
      },
      exec: (text) => tell(() => connection.exec(text)),
      interrupt: () => connection.interrupt?.(),
      close: () => {
        connection.close();
      },
    };
  };
}
