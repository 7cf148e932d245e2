import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Hello } from './hello.agent.js';

void test('rolls a die with as many sides as asked for', async () => {
  const model = new ScriptedModel(callsTool('roll', { sides: 1 }), says('A one.'));
  await using runner = await createRunner(Hello, { model });

  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Roll a die with one side' }));

  const [response] = events.flatMap(({ functionResponses }) => functionResponses);
  assert.deepEqual(response?.response, { result: 1 });
  assert.equal(events.at(-1)?.text, 'A one.');
});
