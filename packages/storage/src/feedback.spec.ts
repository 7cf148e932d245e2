import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, defineTool, type Runner } from '@adorn/core';
import { feedbackOf } from '@adorn/core/backend';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { A_MINUTE, newPostgresDatabase } from './database/postgres-database.fixture.js';
import { sqlStorage } from './sql-storage.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const KEY = { appName: 'clerk', ...ADDRESS };
const folder = mkdtempSync(join(tmpdir(), 'adorn-feedback-'));
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
])('runner.feedback on %s', (_name, url) => {
  it('is stored beside the run of another process, which goes on and loses nothing', async () => {
    let arrive = (): void => undefined;
    let leave = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const left = new Promise<void>((resolve) => (leave = resolve));
    const wait = async (): Promise<string> => {
      arrive();
      await left;
      return 'done';
    };
    await using first = await start(
      url(),
      wait,
      says('One.'),
      callsTool('wait'),
      says('Two.'),
      says('Three.'),
    );
    await using second = await start(url(), wait);
    const { invocationId } = await first.run({ ...ADDRESS, message: 'First.' });
    const running = first.run({ ...ADDRESS, message: 'Second.' });
    const ended = running.then(({ text }) => text);
    await arrived;

    const many = ['mia', 'max', 'sue'].flatMap((by) => [
      second.feedback({ ...ADDRESS, invocationId, score: 0, by, comment: `\u0000 ${by} \ud800` }),
      first.feedback({ ...ADDRESS, invocationId, score: 1, by: `${by} here` }),
    ]);
    await Promise.all(many);
    leave();

    expect(await ended).toBe('Two.');
    expect(await first.ask('Third.', ADDRESS)).toBe('Three.');
    for (const runner of [first, second]) {
      const session = await runner.sessions.getSession(KEY);
      const given = session && feedbackOf(session).map(({ by, score }) => `${by.id} ${String(score)}`);
      expect(given?.sort()).toEqual(['max 0', 'max here 1', 'mia 0', 'mia here 1', 'sue 0', 'sue here 1']);
      const texts = session?.events.map(({ text }) => text).filter((text) => text !== '');
      expect(texts).toEqual(['First.', 'One.', 'Second.', 'Two.', 'Third.', 'Three.']);
      await closed(runner);
    }
    expect(await second.recover({ olderThan: 0 })).toEqual([]);
    await second.forget('ada');
    expect(await first.sessions.getSession(KEY)).toBeUndefined();
  });
});

/** Waits until the record of the last run is closed, which is done behind its answer. */
async function closed({ sessions }: Runner): Promise<void> {
  while ((await sessions.getSession(KEY))?.lastRun?.status !== 'ended')
    await new Promise((resolve) => setTimeout(resolve, 5));
}

async function start(url: string, wait: () => Promise<string>, ...steps: ScriptedStep[]): Promise<Runner> {
  const tool = defineTool({ name: 'wait', description: 'Waits.', run: wait });
  const agent = defineAgent({ name: 'clerk', model: new ScriptedModel(...steps), tools: [tool] });
  return createRunner(agent, { modules: [sqlStorage(url)] });
}
