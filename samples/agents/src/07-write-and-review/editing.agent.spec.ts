import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Editing } from './editing.agent.js';

it('repeats until the reviewer leaves the loop', async () => {
  const model = new ScriptedModel(says('A.'), says('Say B.'), says('A and B.'), callsTool('exit_loop'));
  await using runner = await createRunner(Editing, { model });

  const { events } = await runner.run({ userId: 'ada', message: 'A' });

  expect(JSON.stringify(model.requests[2]?.config.systemInstruction)).toContain('remarks: Say B.');
  expect(events.at(-1)).toMatchObject({ author: 'reviewer', actions: { escalate: true } });
  model.assertDone();
});

it('ends after four rounds', async () => {
  const model = new ScriptedModel(...Array.from({ length: 8 }, () => says('More.')));
  await using runner = await createRunner(Editing, { model });

  expect((await runner.run({ userId: 'ada', message: 'A' })).status).toBe('answered');
  model.assertDone();
});
