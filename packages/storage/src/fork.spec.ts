import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, defineTool, type Runner } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { A_MINUTE, newPostgresDatabase } from './database/postgres-database.fixture.js';
import { sqlStorage } from './sql-storage.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const KEY = { appName: 'clerk', ...ADDRESS };
const folder = mkdtempSync(join(tmpdir(), 'adorn-fork-'));
let postgres: string;

beforeAll(async () => {
  postgres = await newPostgresDatabase();
}, A_MINUTE);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each([
  ['SQLite', () => join(folder, 'app.db')],
  ['PostgreSQL', () => postgres],
])('runner.fork on %s', (_name, url) => {
  it('copies log, state and artifacts, closes open calls, and writes nothing where it fails', async () => {
    await using runner = await start(url());
    await runner.sessions.createSession(KEY, { city: 'Oslo' });
    await runner.artifacts.save(KEY, 'map', { text: 'v0' });
    const first = await runner.run({ ...ADDRESS, message: 'First.', stateDelta: { mood: 'glad' } });
    await runner.run({ ...ADDRESS, message: 'Refund.' });

    const early = await runner.fork({ ...ADDRESS, at: first.events.at(-1)?.id, to: { userId: 'bob' } });
    const late = await runner.fork(ADDRESS);
    await expect(runner.fork({ ...ADDRESS, to: late })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });

    await using second = await start(url());
    const copied = await second.sessions.getSession(early);
    expect(copied?.events.map(({ text }) => text)).toEqual(['First.', 'Good morning.', '']);
    expect({ ...copied?.state }).toEqual({ city: 'Oslo', mood: 'glad' });
    expect(copied?.lastRun?.status).toBe('ended');
    expect(await second.artifacts.load(early, 'map')).toEqual({ text: 'v0' });
    expect(await second.pending(late)).toEqual([]);
    expect(await second.pending(ADDRESS)).toHaveLength(1);
    expect(await second.recover()).toEqual([]);
    expect(await second.artifacts.versions(late, 'map')).toEqual([0]);
  });
});

function start(url: string): Promise<Runner> {
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds.',
    parameters: { type: 'object', properties: {} },
    confirm: true,
    run: () => 'refunded',
  });
  const model = new ScriptedModel(says('Good morning.'), callsTool('refund'));
  const clerk = defineAgent({ name: 'clerk', description: '', tools: [refund], model });
  return createRunner(clerk, { modules: [sqlStorage(url)] });
}
