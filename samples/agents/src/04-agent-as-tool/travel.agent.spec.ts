import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Travel } from './travel.agent.js';

it('shows a tool agent its request only, and gets its parsed answer', async () => {
  const model = new ScriptedModel(
    callsTool('forecaster', { request: 'Bergen' }),
    says('{"celsius":9,"sky":"rain"}'),
    says('Take an umbrella.'),
  );
  await using runner = await createRunner(Travel, { model });

  const { text, events } = await runner.run({ userId: 'ada', message: 'A day in Bergen.' });

  expect(model.requests[1]?.contents).toEqual([{ role: 'user', parts: [{ text: 'Bergen' }] }]);
  expect(events[1]?.functionResponses[0]?.response).toEqual({ celsius: 9, sky: 'rain' });
  expect(text).toBe('Take an umbrella.');
});
