import { remoteAgent, serveA2a } from '@adorn/a2a';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, defineAgent, LlmAgent } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

/** Knows the opening hours of all libraries. */
@agent({ model: 'gemini-2.5-flash' })
class Hours extends LlmAgent {}

it('asks the agent of another host as a tool, and answers itself', async () => {
  await using serving = await serveA2a(Hours, { runner: { model: new ScriptedModel(says('Until six.')) } });
  const Remote = remoteAgent(serving.url, { name: 'hours', description: 'Knows the opening hours.' });

  const model = new ScriptedModel(
    callsTool('hours', { request: 'When does the main library close?' }),
    says('It closes at six.'),
  );
  const Desk = defineAgent({ name: 'desk', description: 'Answers readers.', model, tools: [Remote] });
  await using runner = await createRunner(Desk);

  const { text, events } = await runner.run({ userId: 'ada', message: 'When do you close?' });

  expect(text).toBe('It closes at six.');
  expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
    { name: 'hours', response: { text: 'Until six.' } },
  ]);
  await expectPicture('06-agents-of-others', await sceneOf(runner));
});
