import '@adorn/testing/jest';

import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { override, testRunner } from '@adorn/testing/runner';
import { agent, inject, LlmAgent, tool, ToolError } from 'adorn';

abstract class Shop {
  abstract refund(orderId: string, euros: number): Promise<void>;
}

class Refunds {
  constructor(@inject(Shop) private readonly shop: Shop) {}

  /**
   * Refund an order.
   * @param orderId Order number, such as "A-17".
   * @param euros Amount in euros. @exclusiveMinimum 0
   */
  @tool({ confirm: (orderId, euros) => euros > 50 && `Refund ${String(euros)} EUR for order ${orderId}?` })
  async refundOrder(orderId: string, euros: number): Promise<{ refunded: number }> {
    if (!orderId.startsWith('A-')) throw new ToolError(`There is no order ${orderId}.`);
    await this.shop.refund(orderId, euros);
    return { refunded: euros };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds], instruction: 'Refund what customers ask for.' })
class Desk extends LlmAgent {}

describe('the service desk', () => {
  const refund = jest.fn<Promise<void>, [string, number]>();
  const overrides = [override(Shop, { refund })];

  afterEach(() => refund.mockReset());

  it('refunds a small amount without asking', async () => {
    const model = [callsTool('refund_order', { orderId: 'A-17', euros: 20 }), says('Done.')];
    await using runner = await testRunner(Desk, { model, overrides });

    expect(await runner.ask('Refund 20 euros for A-17', { userId: 'ada' })).toBe('Done.');
    expect(refund).toHaveBeenCalledWith('A-17', 20);
  });

  it('asks a person before it refunds a large amount', async () => {
    const model = [callsTool('refund_order', { orderId: 'A-17', euros: 80 }), says('Refused.')];
    await using runner = await testRunner(Desk, { model, overrides });

    const result = await runner.run({ userId: 'ada', message: 'Refund 80 euros for A-17' });
    expect(result).toBeWaitingFor({ kind: 'confirmation', hint: 'Refund 80 EUR for order A-17?' });

    await runner.reject(result.pending[0]!, { reason: 'no receipt' });
    expect(refund).not.toHaveBeenCalled();
  });

  it('tells the model which arguments are wrong, and which orders there are not', async () => {
    const model = new ScriptedModel(
      callsTool('refund_order', { orderId: 'A-17', euros: 0 }),
      callsTool('refund_order', { orderId: 'B-1', euros: 20 }),
      says('Which order?'),
    );
    await using runner = await testRunner(Desk, { model, overrides });

    const { events } = await runner.run({ userId: 'ada', message: 'Refund my order' });

    const answers = events.flatMap(({ functionResponses }) => functionResponses);
    expect(answers.map(({ response }) => response)).toMatchObject([
      { error: expect.stringContaining('euros must be > 0') },
      { error: 'There is no order B-1.' },
    ]);
    model.assertDone();
  });

  it('has the instruction and the tool in every request', async () => {
    await using runner = await testRunner(Desk, { model: [says('Hello.')], overrides });
    await using steps = runner.step({ userId: 'ada', message: 'Hello?' });

    const { config } = await steps.toModelRequest();

    expect(config).toMatchObject({
      systemInstruction: expect.stringContaining('Refund what customers ask for.'),
      tools: [{ functionDeclarations: [{ name: 'refund_order', description: 'Refund an order.' }] }],
    });
  });
});
