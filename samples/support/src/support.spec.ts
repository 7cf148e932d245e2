import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, type Event } from 'adorn';

import { Support } from './support.agent.js';

const ADA = { email: 'ada.keller@example.com', postcode: '10969' };
const WHO = { userId: 'ada', sessionId: 's1' };

describe('the support agent', () => {
  // The tools' schemas are derived from the sources once, which takes its seconds, and cached.
  beforeAll(async () => {
    await (await createRunner(Support, { model: new ScriptedModel() })).close();
  }, 60_000);

  it('says nothing about orders before the customer is verified', async () => {
    const answers = await play(callsTool('track_order', { orderId: 'W2680071' }));

    expect(answers).toMatchObject([{ status: 'not_verified' }]);
  });

  it('remembers who was verified, in the state and in the next instruction', async () => {
    const model = new ScriptedModel(callsTool('verify_customer', ADA), says('Hello Ada.'));
    await using runner = await createRunner(Support, { model });
    const events = await eventsOf(runner.run({ ...WHO, message: 'It is me' }));

    expect(events.flatMap(({ actions }) => Object.entries(actions.stateDelta))).toEqual([
      ['customer', 'C-1999'],
      ['customer_name', 'Ada Keller'],
    ]);
    expect(JSON.stringify(model.requests.at(-1)?.config.systemInstruction)).toContain(
      'The customer is Ada Keller',
    );
  });

  it('does not know the orders of others', async () => {
    const answers = await play(
      callsTool('verify_customer', ADA),
      callsTool('get_order', { orderId: 'W1566069' }),
    );

    expect(answers.at(-1)).toEqual({
      status: 'not_found',
      message: 'There is no order W1566069 of this customer.',
    });
  });

  it('changes the address of an order that is not packed, and of no other', async () => {
    const address = { street: 'Gartenweg 5', postcode: '10115', city: 'Berlin' };
    const answers = await play(
      callsTool('verify_customer', ADA),
      callsTool('change_address', { orderId: 'W2694415', address }),
      callsTool('change_address', { orderId: 'W2611340', address }),
    );

    expect(answers.slice(1)).toMatchObject([
      { status: 'ok', order: { address } },
      { status: 'not_possible' },
    ]);
  });

  it('asks before it refunds, but not for a goodwill', async () => {
    const model = new ScriptedModel(
      callsTool('verify_customer', ADA),
      callsTool('refund_order', { orderId: 'W2611340', cents: 500 }),
      callsTool('refund_order', { orderId: 'W2611340', cents: 12_900 }),
      says('Refunded.'),
    );
    await using runner = await createRunner(Support, { model });
    const asked = await eventsOf(runner.run({ ...WHO, message: 'Refund it' }));
    const [request] = await runner.pending(WHO);

    expect(responsesIn(asked)[1]).toEqual({
      status: 'ok',
      orderId: 'W2611340',
      refunded: '5.00 EUR',
      left: '163.90 EUR',
    });
    expect(request).toMatchObject({
      kind: 'confirmation',
      hint: 'Refund 129.00 EUR for order W2611340 to the account that paid for it?',
    });

    const approved = await eventsOf(runner.approve(request!, { by: 'ada' }));
    expect(responsesIn(approved)).toEqual([
      { status: 'ok', orderId: 'W2611340', refunded: '129.00 EUR', left: '34.90 EUR' },
    ]);
  });

  it('does not cancel what was refused', async () => {
    const model = new ScriptedModel(
      callsTool('verify_customer', ADA),
      callsTool('cancel_order', { orderId: 'W2694415' }),
      callsTool('get_order', { orderId: 'W2694415' }),
      says('It stays.'),
    );
    await using runner = await createRunner(Support, { model });
    await eventsOf(runner.run({ ...WHO, message: 'Cancel it' }));
    const [request] = await runner.pending(WHO);
    const refused = await eventsOf(runner.reject(request!, { by: 'ada', reason: 'not yet' }));

    expect(responsesIn(refused)).toMatchObject([
      { error: 'tool call was rejected', reason: 'not yet' },
      { status: 'ok', order: { status: 'processing' } },
    ]);
  });
});

/** Plays the calls one after the other, and gives what the tools answered. */
async function play(...calls: ReturnType<typeof callsTool>[]): Promise<unknown[]> {
  await using runner = await createRunner(Support, { model: new ScriptedModel(...calls, says('Done.')) });
  return responsesIn(await eventsOf(runner.run({ ...WHO, message: 'Hello' })));
}

function responsesIn(events: readonly Event[]): unknown[] {
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
}
