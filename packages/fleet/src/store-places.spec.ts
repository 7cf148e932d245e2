import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, FunctionTool, type Runner } from '@adorn/core';
import { toolPolicies } from '@adorn/policies';
import { Database, sqlStorage } from '@adorn/storage';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { sql } from 'kysely';

import { A_MINUTE, newPostgresDatabase } from '../../storage/src/database/postgres-database.fixture.js';
import { sharedLimits } from './store-places.js';

const folder = mkdtempSync(join(tmpdir(), 'adorn-places-'));
let count = 0;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each([
  ['SQLite', () => Promise.resolve(join(folder, `${String(count++)}.db`))],
  ['PostgreSQL', () => newPostgresDatabase()],
])('the limits of tools, shared by the machines at one %s', (_name, newDatabase) => {
  let url: string;
  const machines: Runner[] = [];

  beforeEach(async () => {
    url = await newDatabase();
  }, A_MINUTE);
  afterEach(async () => {
    for (const runner of machines.splice(0)) await runner.close();
  });

  async function machineWith(options: object, run: () => unknown, appName = 'desk'): Promise<Runner> {
    const tool = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      parameters: { type: 'object' },
      run,
      ...options,
    });
    const steps = Array.from({ length: 5 }, () => [callsTool('pay'), says('Done.')]).flat();
    const runner = await createRunner(defineAgent({ name: 'desk', tools: [tool] }), {
      appName,
      model: new ScriptedModel(...steps),
      modules: [sqlStorage(url), sharedLimits(), toolPolicies],
    });
    machines.push(runner);
    return runner;
  }

  async function payAt(runner: Runner, userId = 'ada'): Promise<unknown> {
    const { events } = await runner.run({ message: 'Pay.', userId });
    return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response))[0];
  }

  it('count the starts of a call on all of them, for each application and each user apart', async () => {
    const options = { rateLimit: { calls: 2, perMs: 600_000, scope: 'user' } };
    const first = await machineWith(options, () => 'paid');
    const second = await machineWith(options, () => 'paid');
    const other = await machineWith(options, () => 'paid', 'other');

    expect(await payAt(first)).toEqual({ result: 'paid' });
    expect(await payAt(second)).toEqual({ result: 'paid' });
    expect(await payAt(first)).toEqual({ error: expect.stringContaining('this limit is reached') });
    expect(await payAt(second)).toEqual({ error: expect.stringContaining('this limit is reached') });
    expect(await payAt(second, 'bob')).toEqual({ result: 'paid' });
    expect(await payAt(other)).toEqual({ result: 'paid' });
  });

  it('let a call wait for its turn', async () => {
    const options = { rateLimit: { calls: 1, perMs: 300, maxWaitMs: 60_000 } };
    const first = await machineWith(options, () => 'paid');
    const second = await machineWith(options, () => 'paid');

    expect(await Promise.all([payAt(first), payAt(second)])).toEqual([
      { result: 'paid' },
      { result: 'paid' },
    ]);
  });

  it('run no more calls at a time than are allowed, and free the place of a call that fails', async () => {
    let running = 0;
    let most = 0;
    let calls = 0;
    const run = async (): Promise<string> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      if (++calls === 1) throw new Error('The bank is closed.');
      return 'paid';
    };
    const first = await machineWith({ concurrency: 1 }, run);
    const second = await machineWith({ concurrency: 1 }, run);

    await Promise.all([payAt(first), payAt(second), payAt(first), payAt(second)]);

    expect([most, calls]).toEqual([1, 4]);
  });

  it('free the place of a machine that died, after its time', async () => {
    const database = new Database(url);
    const placesOf = async (): Promise<{ key: string }[]> => {
      const { rows } = await database.statement((queries) =>
        sql<{ key: string }>`select key from adorn_places`.execute(queries),
      );
      return rows;
    };
    const held: { key: string }[] = [];
    const machine = await machineWith({ concurrency: 1 }, async () => {
      held.push(...(await placesOf()));
      return 'paid';
    });
    await payAt(machine);
    expect(await placesOf()).toEqual([]);

    const [{ key } = { key: '' }] = held;
    const soon = Date.now() + 500;
    await database.statement((queries) =>
      sql`insert into adorn_places (key, id, free_at) values (${key}, 'dead', ${soon})`.execute(queries),
    );
    expect(await payAt(machine)).toEqual({ result: 'paid' });
    expect(Date.now()).toBeGreaterThanOrEqual(soon - 5);
    await database.close();
  });
});
