import { callsTool, says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Desk } from './desk.agent.js';

const model = geminiOrScript(
  callsTool('transfer_to_agent', { agent_name: 'billing' }),
  callsTool('open_invoice', { orderId: 'A-17' }),
  says('You owe 40 euros.'),
  says('By Friday.'),
  callsTool('transfer_to_agent', { agent_name: 'shipping' }),
  callsTool('track_parcel', { orderId: 'A-17' }),
  says('It is in Oslo.'),
);
await using runner = await createRunner(Desk, { model });

for (const message of ['What do I owe for A-17?', 'Until when?', 'And where is my parcel?']) {
  const { events, text } = await runner.run({ userId: 'ada', sessionId: 's1', message });
  console.log(`${events.at(-1)?.author ?? ''}: ${text}`);
}
