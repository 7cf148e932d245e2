import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk } from './desk.agent.js';

const address = { userId: 'ada', sessionId: 's1' };

it('keeps the conversation with a specialist until it is transferred again', async () => {
  const model = new ScriptedModel(
    callsTool('transfer_to_agent', { agent_name: 'billing' }),
    says('Which order?'),
    callsTool('open_invoice', { orderId: 'A-17' }),
    says('40 euros.'),
    callsTool('transfer_to_agent', { agent_name: 'shipping' }),
    says('In Oslo.'),
  );
  await using runner = await createRunner(Desk, { model });

  const authors: (string | undefined)[] = [];
  for (const message of ['What do I owe?', 'A-17.', 'Where is it?']) {
    const { events } = await runner.run({ ...address, message });
    authors.push(events.at(-1)?.author);
  }

  expect(authors).toEqual(['billing', 'billing', 'shipping']);
  model.assertDone();
});
