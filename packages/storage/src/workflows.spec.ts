import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, defineTool, workflow, type Runner } from '@adorn/core';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { sqlStorage } from './sql-storage.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const folder = mkdtempSync(join(tmpdir(), 'adorn-workflows-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a workflow over a SQLite file', () => {
  it('goes on from runner to runner, with two questions at once, and answers each once', async () => {
    const ran: unknown[] = [];
    const publish = defineTool({
      name: 'publish',
      description: 'Publishes.',
      parameters: { type: 'object', properties: {} },
      confirm: true,
      run: () => ran.push('published'),
    });
    const scripted = (name: string, ...steps: ScriptedStep[]) =>
      defineAgent({ name, description: '', tools: [publish], model: new ScriptedModel(...steps) });
    const asks = (name: string) => scripted(name, callsTool('publish'), says(`${name} done`));
    const rounds = workflow.loop(scripted('r', says('r 1'), callsTool('publish'), says('r 2')), {
      maxIterations: 2,
    });
    const tree = workflow.sequence(
      workflow.parallel(asks('a'), rounds, asks('b')),
      scripted('last', says('Last.')),
    );
    const inRunner = async <Result>(use: (runner: Runner) => Promise<Result>): Promise<Result> => {
      await using runner = await createRunner(tree, { modules: [sqlStorage(join(folder, 'app.db'))] });
      return await use(runner);
    };

    await inRunner((runner) => runner.run({ ...ADDRESS, message: 'Go.' }));
    const statuses: string[] = [];
    for (let left = 3; left > 0; left--) {
      const pending = await inRunner((runner) => runner.pending(ADDRESS));
      expect(pending).toHaveLength(left);
      const request = pending.at(left > 2 ? 1 : 0);
      if (request === undefined) throw new Error('Nothing is pending.');
      statuses.push((await inRunner((runner) => runner.approve(request))).status);
    }

    expect([statuses, ran.length]).toEqual([['paused', 'paused', 'answered'], 3]);
    expect(await inRunner((runner) => runner.pending(ADDRESS))).toEqual([]);
  });
});
