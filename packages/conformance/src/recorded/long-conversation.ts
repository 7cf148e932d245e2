import { callsFunctions, failsWith, type GeminiStep, saysText } from '@adorn/testing';
import { createRunner, defineAgent, defineTool, type Event, type Model } from 'adorn';

import { comparable } from '../models/comparable-events.js';
import { quiet } from '../quiet-logger.js';

/** How many messages the user sends. */
export const TURNS = 30;

const refund = defineTool({
  name: 'refund_order',
  description: 'Pays the price of an order back.',
  parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  confirm: true,
  run: ({ order }) => ({ refunded: order }),
});

const price = defineTool({
  name: 'find_price',
  description: 'The price of an order in cents.',
  parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  effect: 'read',
  run: ({ order }) => ({ cents: String(order).length * 100 }),
});

/** What the model answers to the messages of one round, of which each is another kind of turn. */
function round(at: number): readonly GeminiStep[] {
  const order = `A-${String(at)}`;
  const prices = [order, `${order}-b`].map((one, index) => ({
    name: 'find_price',
    args: { order: one },
    id: `p${String(at)}${String(index)}`,
  }));
  const handsOver = (agent: string, id: string): GeminiStep =>
    callsFunctions({ name: 'transfer_to_agent', args: { agent_name: agent }, id: `${id}${String(at)}` });
  return [
    saysText('Good ', 'morning, ', `round ${String(at)}.`),
    callsFunctions(...prices),
    saysText('Two prices.'),
    callsFunctions({ name: 'refund_order', args: { order }, id: `r${String(at)}` }),
    saysText('It is paid back.'),
    failsWith(429, { message: 'Slow down.' }),
    saysText('Here I am ', 'again.'),
    handsOver('courier', 'c'),
    saysText('The courier speaks.'),
    handsOver('clerk', 'd'),
    saysText('The clerk again.'),
  ];
}

/** The kinds of turns in a round: streamed text, calls at once, a confirmation, a failure that passes, two hand-overs. */
const KINDS = ['Hello', 'Two prices, please', 'Pay it back', 'Are you there?', 'The courier', 'The clerk'];

/** The script of the whole conversation, for the emulator of any wire. */
export const SCRIPT: readonly GeminiStep[] = Array.from({ length: TURNS / KINDS.length }, (_, at) =>
  round(at),
).flat();

/**
 * Holds the conversation: streamed answers, calls at once, confirmations, failures that pass, and hand-overs.
 *
 * @returns the JSON of all events without ids and times, and with how often the user was asked to confirm
 */
export async function converse(
  model: Model,
  instruction = 'Serve the customers of a shop.',
): Promise<string> {
  const courier = defineAgent({ name: 'courier', description: 'Knows where parcels are.' });
  const clerk = defineAgent({ name: 'clerk', instruction, tools: [price, refund], subAgents: [courier] });
  await using runner = await createRunner(clerk, { model, modules: [quiet] });
  const events: Event[] = [];
  let confirmed = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const message = `${String(KINDS[turn % KINDS.length])} (${String(turn)})`;
    const run = runner.run({ userId: 'ada', sessionId: 's1', message, config: { streaming: 'sse' } });
    for await (const event of run) events.push(event);
    const { pending } = await run;
    for (const request of pending) {
      confirmed += 1;
      for await (const event of runner.approve(request)) events.push(event);
    }
  }
  const failed = events.find(({ errorCode }) => errorCode !== undefined);
  if (failed) throw new Error(`${String(failed.errorCode)}: ${String(failed.errorMessage)}`);
  return JSON.stringify({ confirmed, events: comparable(events) });
}
