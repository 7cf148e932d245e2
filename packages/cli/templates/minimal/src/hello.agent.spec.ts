import { test } from 'node:test';

import { callsTool, expectRun, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';

import { Hello } from './hello.agent.js';

void test('rolls a die with as many sides as asked for', async () => {
  await using runner = await testRunner(Hello, { model: [callsTool('roll', { sides: 1 }), says('A one.')] });

  const result = await runner.run({ userId: 'ada', message: 'Roll a die with one side' });

  expectRun(result).toHaveCalledTool('roll', { sides: 1 });
  expectRun(result).toEmit({ text: 'A one.' });
});
