import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool } from '../../index.js';

describe('a turn that reads and writes state', () => {
  it('reads single keys, and never copies all of them', async () => {
    const count = new FunctionTool({
      name: 'count',
      description: 'Counts.',
      run: (_args, { state }) => {
        state.set('visits', state.get('visits', 0) + 1);
        return { visits: state.get('visits'), city: state.get('city') };
      },
    });
    const model = new ScriptedModel(callsTool('count'), callsTool('count'), says('Done.'));
    const runner = await createRunner(
      defineAgent({ name: 'clerk', instruction: 'Serve {city}.', tools: [count] }),
      { model },
    );
    const address = { userId: 'ada', sessionId: 's1' };
    const session = await runner.sessions.createSession({ appName: 'clerk', ...address }, { city: 'Oslo' });
    let copies = 0;
    Object.defineProperty(session, 'state', { get: () => copies++ });

    const events = await eventsOf(runner.run({ ...address, message: 'Count twice.' }));

    const results = events.flatMap(({ functionResponses }) => functionResponses);
    expect(results.map(({ response }) => response)).toEqual([
      { visits: 1, city: 'Oslo' },
      { visits: 2, city: 'Oslo' },
    ]);
    expect(copies).toBe(0);
  });
});
