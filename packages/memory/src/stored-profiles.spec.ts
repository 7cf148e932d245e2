import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  createRunner,
  defineAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { sqlStorage } from '@adorn/storage';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { linesWhereverItDies } from '../../core/src/runner/specs/runs/dying-process.fixture.js';
import { workingMemory } from './index.js';

const memory = () =>
  workingMemory({ type: 'object', properties: { city: { type: 'string' }, diet: { type: 'string' } } });

/** Notes two things, one after the other; what it says next is told by the conversation alone, in whatever process. */
class Noting extends Model {
  readonly name = 'noting';

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const responses = contents.flatMap(({ parts = [] }) =>
      parts.flatMap((part) => part.functionResponse ?? []),
    );
    const steps = [
      callsTool('update_profile', { city: 'Oslo' }),
      callsTool('update_profile', { city: 'Bergen', diet: 'vegan' }),
    ];
    yield steps[responses.length] ?? says('Noted.');
  }
}

describe('a profile in a store', () => {
  it('is the same wherever the process dies', async () => {
    const profile = memory();
    const Clerk = defineAgent({ name: 'clerk', description: 'Notes.', tools: [profile] });
    const runners: Runner[] = [];

    const lines = await linesWhereverItDies(async (sessions) => {
      const config = { takeOverAfter: 0 };
      const runner = await createRunner(Clerk, { model: new Noting(), modules: [sessions], config });
      runners.push(runner);
      return runner;
    });

    expect(lines.at(-1)).toContain('Noted.');
    expect(runners.length).toBeGreaterThan(10);
    for (const runner of runners)
      expect(await profile.of(runner, 'ada').read()).toEqual({ city: 'Bergen', diet: 'vegan' });
  });

  it('is shared by processes on one database, and keeps what both write', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
    const machine = async (...steps: ModelResponse[]) => {
      const profile = memory();
      const Clerk = defineAgent({ name: 'clerk', description: 'Notes.', tools: [profile] });
      const model = new ScriptedModel(...steps);
      const runner = await createRunner(Clerk, { model, modules: [sqlStorage(join(folder, 'app.db'))] });
      return { runner, model, ada: profile.of(runner, 'ada') };
    };
    const one = await machine(callsTool('update_profile', { city: 'Oslo' }), says('Noted.'), says('Hi.'));
    const other = await machine(callsTool('update_profile', { diet: 'vegan' }), says('Noted.'));

    await Promise.all([
      one.runner.run({ userId: 'ada', sessionId: 's1', message: 'I live in Oslo.' }),
      other.runner.run({ userId: 'ada', sessionId: 's2', message: 'I am vegan.' }),
    ]);
    expect(await one.ada.read()).toEqual({ city: 'Oslo', diet: 'vegan' });
    await other.ada.correct({ city: 'Bergen' });
    await one.runner.run({ userId: 'ada', sessionId: 's1', message: 'Hello.' });

    expect(JSON.stringify(one.model.requests.at(-1)?.contents.at(-1))).toContain('Bergen');
    // The store may still be told that the last run has ended.
    const { erased } = await other.runner.forget('ada', { cancelRuns: true });
    expect(erased.state).toBe(2);
    expect(await one.ada.read()).toEqual({});
    await one.runner.close();
    await other.runner.close();
    rmSync(folder, { recursive: true });
  });
});
