import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, getUserChoice } from '../../index.js';

describe('getUserChoice', () => {
  it.each(['zzz', { choice: 'tea' }])('refuses an answer that is none of the options: %j', async (answer) => {
    const question = { prompt: 'What to drink?', options: ['tea', 'coffee', 'tea'] };
    const model = new ScriptedModel(callsTool('get_user_choice', question, 'c1'), says('Tea it is.'));
    await using runner = await createRunner(defineAgent({ name: 'waiter', model, tools: [getUserChoice()] }));
    const { pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'I am thirsty.' });
    const [request] = pending;

    await expect(runner.supply(request!, answer)).rejects.toMatchObject({ code: 'ANSWER_INVALID' });
    expect((await runner.supply(request!, 'tea')).text).toBe('Tea it is.');
  });

  it('pauses with the prompt and the options, and tells the model what was chosen', async () => {
    const model = new ScriptedModel(
      callsTool('get_user_choice', { prompt: 'What to drink?', options: ['tea', 'coffee'] }, 'c1'),
      says('Tea it is.'),
    );
    const root = defineAgent({ name: 'waiter', model, tools: [getUserChoice()] });
    await using runner = await createRunner(root);

    const paused = await runner.run({ userId: 'ada', sessionId: 's1', message: 'I am thirsty.' });
    const [request] = paused.pending;
    if (request === undefined) throw new Error('nothing is pending');

    const shown = { prompt: 'What to drink?', options: ['tea', 'coffee'] };
    const [listed] = await runner.pending({ userId: 'ada', sessionId: 's1' });
    expect([request.args, listed?.args]).toEqual([shown, shown]);
    expect(request).toMatchObject({
      kind: 'input',
      hint: 'What to drink?',
      schema: { type: 'string', enum: ['tea', 'coffee'] },
    });
    const events = await eventsOf(runner.supply(request, 'tea'));
    expect(events.at(-1)?.text).toBe('Tea it is.');
    expect(model.requests[1]?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toEqual({
      result: 'tea',
    });
  });
});
