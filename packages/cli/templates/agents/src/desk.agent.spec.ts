import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk } from './desk.agent.js';

void test('hands a question about an invoice to billing', async () => {
  const model = new ScriptedModel(
    callsTool('transfer_to_agent', { agent_name: 'billing_agent' }),
    callsTool('find_invoice', { orderId: 'A-100' }),
    says('It is paid.'),
  );
  await using runner = await createRunner(Desk, { model });

  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Is the invoice of A-100 paid?' }));

  assert.equal(events.at(-1)?.author, 'billing_agent');
  assert.equal(events.at(-1)?.text, 'It is paid.');
});
