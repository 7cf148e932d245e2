import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Secretary } from './secretary.agent.js';

const letter = { recipient: 'Grace', text: 'Kjære Grace' };

it('remembers an earlier conversation, and shows a stored file to the model', async () => {
  const model = new ScriptedModel(
    says('Noted.'),
    callsTool('write_letter', letter),
    callsTool('load_artifacts', { artifact_names: ['letter-grace.txt'] }),
    says('It is fine.'),
  );
  await using runner = await createRunner(Secretary, { model });
  const earlier = await runner.run({ userId: 'ada', message: 'Letters to Grace are in Norwegian.' });
  await runner.memory.addSessionToMemory((await runner.sessions.getSession(earlier))!);

  const later = await runner.run({ userId: 'ada', message: 'Write a letter to Grace, and check it.' });

  expect(JSON.stringify(model.requests[1]?.contents)).toContain('Letters to Grace are in Norwegian.');
  expect(JSON.stringify(model.requests[3]?.contents.at(-1))).toContain('Kjære Grace');
  expect(await runner.artifacts.list(later)).toEqual(['letter-grace.txt']);
  expect(await runner.artifacts.list(earlier)).toEqual([]);
});
