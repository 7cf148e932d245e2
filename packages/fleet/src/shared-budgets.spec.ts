import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  agentTool,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { Database, sqlStorage } from '@adorn/storage';
import { callsTool, ManualClock, says, ScriptedModel } from '@adorn/testing';
import { sql } from 'kysely';

import { A_MINUTE, newPostgresDatabase } from '../../storage/src/database/postgres-database.fixture.js';
import { sharedBudgets, type SharedBudgetsOptions } from './shared-budgets.js';

const folder = mkdtempSync(join(tmpdir(), 'adorn-budgets-'));
let count = 0;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const A_DAY = 86_400_000;
const PRICES = { scripted: { input: 1, cachedInput: 0.1, output: 10 } };

/** An answer of half a dollar by `PRICES`: 300,000 tokens, of which 100,000 were found in a cache. */
function costly(response: ModelResponse = says('Done.')): ModelResponse {
  const usage = { promptTokenCount: 270_000, cachedContentTokenCount: 100_000, candidatesTokenCount: 32_000 };
  return { ...response, usageMetadata: { ...usage, totalTokenCount: 302_000 } };
}

describe.each([
  ['SQLite', () => Promise.resolve(join(folder, `${String(count++)}.db`))],
  ['PostgreSQL', () => newPostgresDatabase()],
])('a budget in the store: %s', (_name, newDatabase) => {
  let url: string;
  let clock: ManualClock;
  const machines: Runner[] = [];

  beforeEach(async () => {
    url = await newDatabase();
    clock = new ManualClock();
  }, A_MINUTE);
  afterEach(async () => {
    for (const runner of machines.splice(0)) await runner.close();
  });

  async function machine(options: SharedBudgetsOptions, steps = Array.from({ length: 6 }, () => costly())) {
    const model = Object.assign(new ScriptedModel(...steps), { name: 'scripted-1' });
    const time = new ContainerModule(({ bind }) => {
      bind(Clock).toConstantValue(clock);
    });
    const runner = await createRunner(defineAgent({ name: 'desk', instruction: '-' }), {
      appName: 'shop',
      model,
      modules: [sqlStorage(url), time, sharedBudgets({ prices: PRICES, ...options })],
    });
    machines.push(runner);
    return { runner, model };
  }

  async function endOf(runner: Runner, input: object = {}): Promise<unknown> {
    const { events } = await runner.run({ userId: 'ada', message: 'Hello.', ...input });
    const { errorCode, errorMessage, text } = events.at(-1) ?? {};
    return errorCode === undefined ? text : { errorCode, errorMessage };
  }

  const SPENT = { errorCode: 'BUDGET_SPENT' };

  it('ends the runs of a user on all machines until the next day, and of no other', async () => {
    const [one, other] = [await machine({ user: { usd: 0.9 } }), await machine({ user: { usd: 0.9 } })];

    expect(await endOf(one.runner)).toBe('Done.');
    expect(await endOf(other.runner)).toBe('Done.');
    expect(await endOf(one.runner)).toEqual({
      ...SPENT,
      errorMessage: 'The budget that you may spend in a day is used up. It begins anew at midnight UTC.',
    });
    expect(await endOf(other.runner)).toMatchObject(SPENT);
    expect(one.model.requests).toHaveLength(1);
    expect(await endOf(other.runner, { userId: 'bob' })).toBe('Done.');

    await clock.advance(A_DAY);
    expect(await endOf(one.runner)).toBe('Done.');
  });

  it('counts tokens for a tenant, and money for the application, in a month', async () => {
    const { runner } = await machine({
      tenant: { tokens: 500_000 },
      application: { usd: 1.4 },
      per: 'month',
    });
    const as = (id: string, tenant: string) => ({ userId: id, by: { id, tenant } });

    expect(await endOf(runner, as('ada', 'acme'))).toBe('Done.');
    expect(await endOf(runner, as('mia', 'acme'))).toBe('Done.');
    expect(await endOf(runner, as('ada', 'acme'))).toMatchObject({
      ...SPENT,
      errorMessage: expect.stringContaining('your organisation may spend in a month') as unknown,
    });
    expect(await endOf(runner, as('eve', 'globex'))).toBe('Done.');
    expect(await endOf(runner, as('eve', 'globex'))).toMatchObject({
      ...SPENT,
      errorMessage: expect.stringContaining('all users together') as unknown,
    });
  });

  it('counts the answers of agents that run as tools, and writes the cost to each event', async () => {
    const steps = [costly(callsTool('clerk', { request: 'Look.' })), costly(says('Found.')), costly()];
    const model = Object.assign(new ScriptedModel(...steps), { name: 'scripted-1' });
    const clerk = defineAgent({ name: 'clerk', description: 'Looks.', instruction: '-' });
    const runner = await createRunner(
      defineAgent({ name: 'desk', instruction: '-', tools: [agentTool(clerk)] }),
      {
        appName: 'shop',
        model,
        modules: [sqlStorage(url), sharedBudgets({ prices: PRICES, user: { usd: 0.9 } })],
      },
    );
    machines.push(runner);

    expect(await endOf(runner, { sessionId: 's1' })).toMatchObject(SPENT);
    const session = await runner.sessions.getSession({ appName: 'shop', userId: 'ada', sessionId: 's1' });
    const costs = session?.events.flatMap(({ customMetadata }) => customMetadata?.['budgets:cost'] ?? []);
    expect(costs).toEqual([{ usd: 0.5 }, { usd: 0.5 }]);
  });

  it('asks no model where the price is not known, or the database has no table any more', async () => {
    const { runner, model } = await machine({ user: { usd: 1 }, prices: {} });
    expect(await endOf(runner)).toEqual({
      errorCode: 'BUDGET_UNAVAILABLE',
      errorMessage:
        'No model is asked, because the price of the model "scripted-1" is not known. Try again later.',
    });

    const other = await machine({ user: { usd: 1 } });
    const database = new Database(url);
    await database.statement((queries) => sql`drop table adorn_spending`.execute(queries));
    await database.close();
    expect(await endOf(other.runner)).toMatchObject({ errorCode: 'BUDGET_UNAVAILABLE' });
    expect([...model.requests, ...other.model.requests]).toEqual([]);
  });
});

describe('the options of sharedBudgets', () => {
  it.each<[unknown, string]>([
    [{ users: {} }, 'there is no option users'],
    [{ user: { usd: NaN } }, 'Pass a number of at least 0'],
    [{ per: 'week' }, 'Valid: day, month'],
    [{ prices: { gpt: { input: -1, output: 1 } } }, 'Pass a number of at least 0'],
  ])('are checked: %j', (options, message) => {
    expect(() => sharedBudgets(options as SharedBudgetsOptions)).toThrow(message);
  });
});
