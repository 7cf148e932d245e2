import { test } from 'node:test';

import { callsTool, expectRun, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';

import { Desk } from './desk.agent.js';

void test('hands a question about an invoice to billing', async () => {
  await using runner = await testRunner(Desk, {
    model: [
      callsTool('transfer_to_agent', { agent_name: 'billing_agent' }),
      callsTool('find_invoice', { orderId: 'A-100' }),
      says('It is paid.'),
    ],
  });

  const result = await runner.run({ userId: 'ada', message: 'Is the invoice of A-100 paid?' });

  expectRun(result).toEmit({ author: 'billing_agent', text: 'It is paid.' });
});
