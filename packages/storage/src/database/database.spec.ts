import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PostgresServer } from '@adorn/testing/servers';
import { sql } from 'kysely';

import { StorageUrlInvalidError } from '../errors/errors.js';
import { Database } from './database.js';

const folder = mkdtempSync(join(tmpdir(), 'adorn-database-'));
const opened: Database[] = [];
let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
});

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe.each(['sqlite', 'postgres'] as const)('a database of %s', (dialect) => {
  let count = 0;

  it('is migrated by whoever comes first, and found ready by all that start with it', async () => {
    const url = await newUrl();

    const rows = await Promise.all([open(url), open(url), open(url)].map(countSessions));

    expect(rows).toEqual([0, 0, 0]);
  });

  it('is refused where a later Adorn was here before, and left as it is', async () => {
    const url = await newUrl();
    await countSessions(open(url));
    await setVersion(open(url), 99);

    await expect(countSessions(open(url))).rejects.toMatchObject({ code: 'STORAGE_NEWER' });
  });

  it('is left as it is where nobody may migrate it', async () => {
    const url = await newUrl();
    const bound = new Database(url, { migrate: false });
    opened.push(bound);

    await expect(bound.open()).rejects.toMatchObject({
      code: 'STORAGE_OUTDATED',
      due: expect.arrayContaining(['001-sessions']),
    });
    expect(await open(url).open()).toContain('001-sessions');

    expect(await bound.open()).toEqual([]);
    expect(await open(url).open()).toEqual([]);
    expect(await countSessions(bound)).toBe(0);
  });

  it('writes a transaction whole or not at all', async () => {
    const database = open(await newUrl());

    const refused = database.transaction(async (queries) => {
      await sql`insert into adorn_scopes (address, version) values ('a', 1)`.execute(queries);
      throw new Error('no');
    });

    await expect(refused).rejects.toThrow('no');
    const { rows } = await database.run((queries) => sql`select * from adorn_scopes`.execute(queries));
    expect(rows).toEqual([]);
  });

  it('finishes the calls under way when it is closed, and is not opened again by later calls', async () => {
    const database = open(await newUrl());
    await database.open();
    const underWay = database.transaction((queries) =>
      sql`insert into adorn_scopes (address, version) values ('a', 1)`.execute(queries),
    );

    const closed = Promise.all([database.close(), database.close()]);

    await expect(countSessions(database)).rejects.toMatchObject({ code: 'STORAGE_CLOSED' });
    await expect(underWay).resolves.toBeDefined();
    await closed;
    await expect(database.open()).rejects.toMatchObject({ code: 'STORAGE_CLOSED' });
    await expect(database.connection()).rejects.toMatchObject({ code: 'STORAGE_CLOSED' });
  });

  /** A database that nobody has opened. */
  async function newUrl(): Promise<string> {
    const name = `d${String(count++)}`;
    if (dialect === 'sqlite') return join(folder, `${name}.db`);
    await open(server.url()).run((queries) => sql`create database ${sql.id(name)}`.execute(queries));
    return server.url(name);
  }
});

describe('a file', () => {
  it('that is no database is refused, and left as it is', async () => {
    const path = join(folder, 'letter.txt');
    writeFileSync(path, 'Dear Ada, '.repeat(1000));

    await expect(countSessions(open(path))).rejects.toMatchObject({ code: 'STORAGE_NOT_A_DATABASE' });
    expect(readFileSync(path, 'utf8')).toBe('Dear Ada, '.repeat(1000));
  });

  it('in a folder that is not there is refused, and opened once the folder is there', async () => {
    const path = join(folder, 'later', 'app.db');
    const database = open(path);

    await expect(countSessions(database)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    (await import('node:fs')).mkdirSync(join(folder, 'later'));

    expect(await countSessions(database)).toBe(0);
    expect(existsSync(path)).toBe(true);
    chmodSync(path, 0o600);
  });
});

describe('a server', () => {
  it('that goes down and comes back is found again without a restart', async () => {
    const database = open(server.url());
    expect(await countSessions(database)).toBe(0);
    await server.halt('SIGQUIT');

    await expect(countSessions(database)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await server.startAgain();

    expect(await countSessions(database)).toBe(0);
  });

  it('that ends its connections while they are in use fails those calls alone', async () => {
    const database = open(server.url());
    const admin = open(server.url());
    await countSessions(database);
    const terminated = database.transaction(async (queries) => {
      await sql`insert into adorn_scopes (address, version) values ('lost', 1)`.execute(queries);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries);
      await admin.run((others) => sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(others));
      // The end of the connection arrives while no statement is under way.
      while (await isAlive(admin, rows[0]!.pid)) await new Promise(setImmediate);
      await sql`select 1`.execute(queries);
    });

    await expect(terminated).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await countSessions(database)).toBe(0);
    const { rows } = await database.run((queries) =>
      sql`select * from adorn_scopes where address = 'lost'`.execute(queries),
    );
    expect(rows).toEqual([]);
  });

  it('that does not answer in time fails the call, and the next one has a connection of its own', async () => {
    await countSessions(open(server.url()));
    const database = new Database(server.url(), { timeout: 300, poolSize: 1 });
    opened.push(database);
    expect(await countSessions(database)).toBe(0);

    const slow = database.transaction((queries) => sql`select pg_sleep(60)`.execute(queries));

    await expect(slow).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await countSessions(database)).toBe(0);
  });

  it('that accepts a connection and says nothing fails the call', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const database = new Database(`postgres://ada@127.0.0.1:${String(port)}/app`, { timeout: 100 });
    opened.push(database);

    await expect(database.open()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    silent.close();
  });

  it('that is down at the start is found once it is up, and no password is told', async () => {
    const database = open('postgres://ada:secret@127.0.0.1:9/nowhere');

    const refused = countSessions(database);

    await expect(refused).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.not.stringContaining('secret'),
    });
    await expect(refused).rejects.toThrow(/127\.0\.0\.1:9\/nowhere/);
  });
});

describe('a URL', () => {
  it.each(['', 'mysql://root@localhost/app', 'http://localhost', 'file:', 'file://'])(
    '"%s" is refused',
    (url) => {
      expect(() => new Database(url)).toThrow(StorageUrlInvalidError);
    },
  );

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    [5432, 'a number'],
    [{ url: 'app.db' }, 'an object'],
    [['app.db'], 'a list'],
  ])('%p is no text, and the error says so', (url, found) => {
    const opened = (): Database => new Database(url as string);

    expect(opened).toThrow(StorageUrlInvalidError);
    expect(opened).toThrow(`The database URL is not valid: found ${found}. `);
  });

  it.each([
    ['app.db', 'app.db'],
    ['./app.db', './app.db'],
    ['/var/app.db', '/var/app.db'],
    ['C:\\data\\app.db', 'C:\\data\\app.db'],
    ['file:app.db', 'app.db'],
    ['file:///var/my%20app.db', '/var/my app.db'],
    ['file://localhost/var/app.db', '/var/app.db'],
    [':memory:', ':memory:'],
  ])('"%s" is the file %s', (url, path) => {
    expect(new Database(url)).toMatchObject({ dialect: 'sqlite', place: path });
  });
});

function open(url: string): Database {
  const database = new Database(url);
  opened.push(database);
  return database;
}

async function countSessions(database: Database): Promise<number> {
  const rows = await database.run((queries) => queries.selectFrom('adorn_sessions').selectAll().execute());
  return rows.length;
}

async function isAlive(admin: Database, pid: number): Promise<boolean> {
  const { rows } = await admin.run((queries) =>
    sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(queries),
  );
  return rows.length > 0;
}

async function setVersion(database: Database, version: number): Promise<void> {
  await database.run((queries) => sql`update adorn_schema set version = ${version}`.execute(queries));
}
