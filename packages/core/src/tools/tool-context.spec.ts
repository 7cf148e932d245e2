import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool } from '../index.js';

describe('the idempotency key of a call', () => {
  it('is another in each turn of a session, also if a model gives each call the same id', async () => {
    const keys = new Set<string>();
    const pay = new FunctionTool({
      name: 'pay',
      description: '',
      parameters: { type: 'object' },
      run: (_args, { idempotencyKey }) => keys.add(idempotencyKey).size,
    });
    const model = new ScriptedModel(
      callsTool('pay', {}, 'call_0'),
      callsTool('pay', {}, 'call_0'),
      says('Paid.'),
      callsTool('pay', {}, 'call_0'),
      says('Paid.'),
    );
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [pay] }), { model });
    for (const message of ['Pay twice.', 'Pay once more.'])
      await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message }));

    expect(keys.size).toBe(3);
  });
});
