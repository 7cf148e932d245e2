import { createRunner, defineAgent, joinText } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { sessionCompaction } from './index.js';

it('does what the README says', async () => {
  const model = new ScriptedModel(says('One.'), says('Two.'), says('They counted.'), says('Three.'));
  const Clerk = defineAgent({ name: 'clerk' });
  const runner = await createRunner(Clerk, {
    model,
    modules: [sessionCompaction],
    compaction: { compactionInterval: 2, overlapSize: 0 },
  });
  const address = { userId: 'ada', sessionId: 's1' };
  await runner.ask('One?', address);
  await runner.ask('Two?', address);
  const key = { appName: 'clerk', ...address };
  while ((await runner.sessions.getSession(key))?.events.at(-1)?.actions.compaction === undefined)
    await new Promise(setImmediate);

  expect(await runner.ask('Three?', address)).toBe('Three.');

  expect(model.requests.at(-1)?.contents.map((content) => joinText(content))).toEqual([
    '[Summary of earlier conversation]\nThey counted.',
    'Three?',
  ]);
  await runner.close();
});
