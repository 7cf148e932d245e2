/** @slow */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, CredentialService, defineAgent, FunctionTool, type Runner } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { sql } from 'kysely';

import { Database } from './database/database.js';
import { A_MINUTE, newPostgresDatabase } from './database/postgres-database.fixture.js';
import { sqlStorage } from './sql-storage.js';

const ADA = 'canaryuser';
const MARK = 'canary';

/** A desk whose tools leave something of a user in every store. */
function desk(url: string, steps = 1): Promise<Runner> {
  const keep = new FunctionTool({
    name: 'keep',
    description: 'Keeps.',
    effect: 'write',
    parameters: { type: 'object', properties: { what: { type: 'string' } } },
    once: { key: ({ what }) => ({ what: String(what) }), scope: 'app' },
    run: async ({ what }, context) => {
      context.state.set('user:note', `${String(what)}-userstate`);
      context.state.set('note', `${String(what)}-state`);
      await context.saveArtifact('user:own.bin', bytes(`${String(what)}-userfile`));
      await context.saveArtifact('one.bin', bytes(`${String(what)}-file`));
      return { kept: `${String(what)}-result` };
    },
  });
  const mine = new FunctionTool({
    name: 'mine',
    description: 'Mine.',
    effect: 'write',
    once: { key: () => 'one', scope: 'user' },
    run: () => ({ own: `${MARK}-mine` }),
  });
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    parameters: { type: 'object', properties: { what: { type: 'string' } } },
    confirm: ({ what }) => `${String(what)}-hint`,
    approvers: () => 'others',
    run: () => 'paid',
  });
  const said = Array.from({ length: steps }, () => [
    callsTool('keep', { what: `${MARK}-kept` }),
    callsTool('mine'),
    callsTool('pay', { what: `${MARK}-waits` }),
  ]);
  const model = new ScriptedModel(...said.flat(), says('Done.'), says('Done.'));
  return createRunner(defineAgent({ name: 'desk', model, tools: [keep, mine, pay] }), {
    modules: [sqlStorage(url)],
  });
}

function bytes(text: string) {
  return { inlineData: { mimeType: 'application/octet-stream', data: Buffer.from(text).toString('base64') } };
}

/** Fills every store, and leaves a request open. */
async function fill(runner: Runner, userId = ADA): Promise<void> {
  const address = { userId, sessionId: `${MARK}-session` };
  await runner.run({ ...address, message: `${MARK}-message` });
  const session = await runner.sessions.getSession({ appName: 'desk', ...address });
  if (!session) throw new Error('The session is not there.');
  await runner.sessions.renameSession({ appName: 'desk', ...address }, `${MARK}-title`);
  await runner.memory.addSessionToMemory(session);
  await runner.get(CredentialService).save({ appName: 'desk', userId }, `${MARK}-key`, {
    type: 'apiKey',
    apiKey: `${MARK}-secret`,
  });
  await runner.memory.addMemory({ appName: 'desk', userId }, [
    { content: { role: 'user', parts: [{ text: `${MARK}memory` }] } },
  ]);
}

/** How often the mark is in the files of a folder. */
function marksIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((count, name) => {
    const inName = name.includes(MARK) ? 1 : 0;
    const path = join(folder, name);
    if (!statSync(path).isFile()) return count + inName;
    return count + inName + readFileSync(path).toString('latin1').split(MARK).length - 1;
  }, 0);
}

describe('a user who is forgotten', () => {
  let folder: string;
  const given = process.env['ADORN_ENCRYPTION_KEY'];
  beforeAll(() => {
    process.env['ADORN_ENCRYPTION_KEY'] = randomBytes(32).toString('base64');
  });
  afterAll(() => {
    if (given === undefined) delete process.env['ADORN_ENCRYPTION_KEY'];
    else process.env['ADORN_ENCRYPTION_KEY'] = given;
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'adorn-forget-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is in no file of SQLite any more: log, state, files, memories, index, credentials, requests, runs, ledger, write-ahead log', async () => {
    const runner = await desk(join(folder, 'app.db'));
    await fill(runner);
    const before = marksIn(folder);

    const { erased, notErased } = await runner.forget(ADA);

    const after = marksIn(folder);
    console.log(`marks of the user in the files: ${String(before)} before, ${String(after)} after`);
    expect(before).toBeGreaterThan(30);
    expect(after).toBe(0);
    expect(notErased).toEqual([]);
    expect(erased).toMatchObject({
      sessions: 1,
      requests: 1,
      state: 1,
      artifacts: 1,
      credentials: 1,
      effects: 1,
      anonymizedEffects: 1,
    });
    expect(erased.memories).toBeGreaterThan(0);
    await runner.close();
    expect(marksIn(folder)).toBe(0);
  });

  it(
    'is in no table of PostgreSQL any more, and the receipt says what cannot be reached',
    async () => {
      const url = await newPostgresDatabase();
      const runner = await desk(url);
      const database = new Database(url);
      await fill(runner);
      const before = await marksInTables(database);

      const { notErased } = await runner.forget(ADA);

      const after = await marksInTables(database);
      console.log(`marks of the user in the tables: ${String(before)} before, ${String(after)} after`);
      expect(before).toBeGreaterThan(10);
      expect(after).toBe(0);
      expect(notErased).toMatchObject([{ kind: 'storage' }]);
      await runner.close();
      await database.close();
    },
    A_MINUTE,
  );

  it('stays forgotten for a process that still held the state, and can come back', async () => {
    const url = join(folder, 'app.db');
    await using one = await desk(url);
    await using other = await desk(url);
    await fill(one);
    const key = { appName: 'desk', userId: ADA };
    await other.sessions.getSession({ ...key, sessionId: `${MARK}-session` });

    await one.forget(ADA);

    const again = await other.sessions.createSession({ ...key, sessionId: 's2' });
    expect({ ...again.state }).toEqual({});
    await one.sessions.updateSession({ ...key, sessionId: 's2' }, { 'user:city': 'Oslo' });
    expect({ ...(await other.sessions.getSession({ ...key, sessionId: 's2' }))?.state }).toEqual({
      'user:city': 'Oslo',
    });
  });

  it('is forgotten by a second call after a crash between any two steps', async () => {
    await using runner = await desk(join(folder, 'app.db'));
    await fill(runner);
    const steps = [
      [runner.sessions, 'deleteUserState'],
      [runner.artifacts, 'deleteUser'],
      [runner.memory, 'deleteUser'],
      [runner.get(CredentialService), 'deleteUser'],
      [runner.sessions, 'overwriteDeleted'],
    ] as const;
    for (const [service, method] of steps) {
      const crash = jest
        .spyOn(service as never, method as never)
        .mockRejectedValueOnce(new Error('died') as never);
      await expect(runner.forget(ADA)).rejects.toThrow('died');
      crash.mockRestore();
    }

    await runner.forget(ADA);

    expect(marksIn(folder)).toBe(0);
  });

  it('leaves what other users have, and what their sessions say is in the receipt', async () => {
    await using runner = await desk(join(folder, 'app.db'));
    await fill(runner, 'bob');
    await runner.sessions.createSession(
      { appName: 'desk', userId: 'eve', sessionId: 's1' },
      { 'app:owner': ADA },
    );
    const [request] = await runner.pending({ userId: 'bob', sessionId: `${MARK}-session` });
    if (!request) throw new Error('Nothing waits.');
    await eventsOf(runner.approve(request, { by: { id: ADA } }));

    const { erased, notErased } = await runner.forget(ADA);

    expect(Object.values(erased).every((count) => count === 0)).toBe(true);
    expect(notErased).toMatchObject([
      { kind: 'state', reason: expect.stringContaining('app:owner') as string },
      { kind: 'sessions', sessions: [{ userId: 'bob', sessionId: `${MARK}-session` }] },
    ]);
    const bob = await runner.sessions.getSession({
      appName: 'desk',
      userId: 'bob',
      sessionId: `${MARK}-session`,
    });
    expect(bob?.state['user:note']).toBe('canary-kept-userstate');
  });
});

/** How many rows of all tables have the mark. */
function marksInTables(database: Database): Promise<number> {
  return database.run(async (queries) => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
      queries,
    );
    let count = 0;
    for (const { name } of rows) {
      const text = name === 'adorn_contents' ? `encode(bytes, 'escape')` : 't::text';
      const found = await sql<{ n: number }>`
        select count(*)::integer as n from ${sql.table(name)} as t where ${sql.raw(text)} like ${`%${MARK}%`}`.execute(
        queries,
      );
      count += found.rows[0]?.n ?? 0;
    }
    return count;
  });
}
