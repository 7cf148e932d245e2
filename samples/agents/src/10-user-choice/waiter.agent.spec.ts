import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Waiter } from './waiter.agent.js';

it('waits for the choice of the user, and tells it to the model', async () => {
  const question = { prompt: 'Which drink?', options: ['tea', 'coffee'] };
  const model = new ScriptedModel(callsTool('get_user_choice', question), says('Coffee it is.'));
  await using runner = await createRunner(Waiter, { model });

  const { status, pending } = await runner.run({ userId: 'ada', message: 'A drink.' });
  expect([status, pending[0]?.kind, pending[0]?.args]).toEqual(['paused', 'input', question]);
  const { text } = await runner.supply(pending[0]!, 'coffee');

  expect(text).toBe('Coffee it is.');
  const responses = model.requests[1]?.contents
    .at(-1)
    ?.parts?.map(({ functionResponse }) => functionResponse);
  expect(responses).toMatchObject([{ response: { result: 'coffee' } }]);
});
