import { fileURLToPath } from 'node:url';

import { evaluate, readEvalSet } from '@adorn/eval';
import { OfflineModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Support } from './support.agent.js';

it('passes its eval set with the offline model', async () => {
  await using runner = await createRunner(Support, { model: new OfflineModel() });
  const set = await readEvalSet(fileURLToPath(new URL('../evals/orders.evalset.json', import.meta.url)));

  const report = await evaluate(runner, set);

  report.assertPassed();
  expect(report.count('passed')).toBe(2);
});
