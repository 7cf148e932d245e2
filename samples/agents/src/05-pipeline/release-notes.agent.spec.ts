import { says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { ReleaseNotes } from './release-notes.agent.js';

it('gives each step the result of the step before, and answers with the last', async () => {
  const model = new ScriptedModel(says('A.'), says('A is new.'), says('A!'));
  await using runner = await createRunner(ReleaseNotes, { model });

  expect(await runner.ask('feat: a')).toBe('A!');

  const instructions = model.requests.map(({ config }) => JSON.stringify(config.systemInstruction));
  expect(instructions[1]).toContain('for these changes:\\nA.');
  expect(instructions[2]).toContain('to one sentence:\\nA is new.');
});

it('ends with the first step that fails', async () => {
  const model = new ScriptedModel(says('A.'), { errorCode: 'SAFETY', errorMessage: 'Blocked.' });
  await using runner = await createRunner(ReleaseNotes, { model });

  const { status, error } = await runner.run({ userId: 'ada', message: 'feat: a' });

  expect([status, error?.message]).toEqual(['failed', expect.stringContaining('Blocked.')]);
  model.assertDone();
});
