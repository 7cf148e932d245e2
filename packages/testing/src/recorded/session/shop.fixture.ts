import { createRunner, defineAgent, defineTool, type Runner } from 'adorn';

import { callsTool, callsTools, says } from '../../scripted/scripted-step.js';
import { ScriptedModel } from '../../scripted/scripted.model.js';

export const ADDRESS = { userId: 'ada', sessionId: 's1' };
export const ORDER = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };

/** What the tools of the shop have done. */
export const ran: string[] = [];

/** An agent with a tool that reads, one that asks first, and another agent to hand over to. */
export function shop({
  instruction = 'Serve the customers of a shop.',
  asksFirst = true,
  price: amount = 7,
}: { readonly instruction?: string; readonly asksFirst?: boolean; readonly price?: number } = {}) {
  const price = defineTool({
    ...{ name: 'find_price', description: 'The price of an order.', parameters: ORDER, effect: 'read' },
    run: ({ order }) => ran.push(`price of ${String(order)}`) && amount,
  });
  const refund = defineTool({
    ...{ name: 'refund_order', description: 'Pays back.', parameters: ORDER, confirm: asksFirst },
    run: ({ order }) => ran.push(`refund of ${String(order)}`) && 'refunded',
  });
  const courier = defineAgent({ name: 'courier', description: 'Knows where parcels are.' });
  return defineAgent({ name: 'clerk', instruction, tools: [price, refund], subAgents: [courier] });
}

/** A runner in whose store `ADDRESS` is a conversation of four messages and an approval. */
export async function converse(): Promise<Runner> {
  const model = new ScriptedModel(
    callsTools({ name: 'find_price', args: { order: 'A' } }, { name: 'find_price', args: { order: 'B' } }),
    says('Two prices.'),
    callsTool('refund_order', { order: 'A' }),
    says('Paid back.'),
    callsTool('transfer_to_agent', { agent_name: 'courier' }),
    says('The courier speaks.'),
    says('Still the courier.'),
  );
  const runner = await createRunner(shop(), { model });
  await talk(runner);
  await runner.run({ ...ADDRESS, message: 'And now?' });
  return runner;
}

/** Sends three messages, of which the second is approved. @returns the answers */
export async function talk(runner: Runner): Promise<string[]> {
  const said: string[] = [];
  for (const message of ['Two prices', 'Pay it back', 'The courier']) {
    const result = await runner.run({ ...ADDRESS, message });
    if (result.error) throw result.error;
    const [request] = result.pending;
    said.push(request ? (await runner.approve(request)).text : result.text);
  }
  return said;
}
