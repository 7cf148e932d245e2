/** @slow */

import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { describeSessionService } from '@adorn/testing/contracts';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { sqlStorage } from '../sql-storage.js';
import { SqlSessionService } from './sql-session.service.js';

describeEachDatabase((name, open) => {
  describeSessionService(`SqlSessionService on ${name}`, async () => new SqlSessionService(await open()));
});

describe('a turn that reads and writes state', () => {
  it('reads single keys, and never copies all of them', async () => {
    const count = new FunctionTool({
      name: 'count',
      description: 'Counts.',
      run: (_args, { state }) => {
        state.set('visits', state.get('visits', 0) + 1);
        return { visits: state.get('visits'), theme: state.get('user:theme') };
      },
    });
    const model = new ScriptedModel(callsTool('count'), callsTool('count'), says('Done.'));
    const modules = [sqlStorage(':memory:')];
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [count] }), {
      model,
      modules,
    });
    const address = { userId: 'ada', sessionId: 's1' };
    const key = { appName: 'clerk', ...address };
    const session = await runner.sessions.createSession(key, { 'user:theme': 'dark' });
    let copies = 0;
    Object.defineProperty(session, 'state', { get: () => copies++ });

    const events = await eventsOf(runner.run({ ...address, message: 'Count twice.' }));

    const results = events.flatMap(({ functionResponses }) => functionResponses);
    expect(results.map(({ response }) => response)).toEqual([
      { visits: 1, theme: 'dark' },
      { visits: 2, theme: 'dark' },
    ]);
    expect(copies).toBe(0);
  });
});
