import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { skills } from '@adorn/skills';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

const SKILL = `---
name: late-fees
description: How fees for late books are worked out. Use it when a reader asks about a fee.
---

Read references/fees.md. Waive the first fee of a reader.
`;

it('shows the model one sentence, and the instructions when it opens the skill', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skills-'));
  await mkdir(join(folder, 'late-fees', 'references'), { recursive: true });
  await writeFile(join(folder, 'late-fees', 'SKILL.md'), SKILL);
  await writeFile(join(folder, 'late-fees', 'references', 'fees.md'), '20 cents a day, at most 5 euros.');

  const model = new ScriptedModel(
    callsTool('load_skill', { skill: 'late-fees' }),
    callsTool('load_skill_resource', { skill: 'late-fees', path: 'references/fees.md' }),
    says('The first fee is waived.'),
  );
  const Desk = defineAgent({ name: 'desk', description: 'Helps readers.', model, tools: [skills(folder)] });
  await using runner = await createRunner(Desk);
  const { events } = await runner.run({ userId: 'ada', message: 'Must I pay?' });

  const [declared] = model.requests[0]?.config.tools ?? [];
  expect(JSON.stringify(declared)).toContain('How fees for late books are worked out.');
  expect(JSON.stringify(declared)).not.toContain('Waive the first fee');
  expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
    {
      response: {
        instructions: expect.stringContaining('Waive the first fee'),
        files: ['references/fees.md'],
      },
    },
    { response: { text: '20 cents a day, at most 5 euros.' } },
  ]);
  await rm(folder, { recursive: true });
  await expectPicture('08-skills', await sceneOf(runner));
});
