import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, inject, type Integer, LlmAgent, tool, type ToolContext } from 'adorn';

class Ledger {
  readonly entries: unknown[] = [];
}

class Refunds {
  /**
   * Refund an order.
   * @param orderId Order number. @pattern ^A-\d+$ @example "A-17"
   * @param cents Amount in cents. @minimum 1
   * @param due When the money is sent.
   */
  @tool
  refund(
    orderId: string,
    cents: Integer,
    context: ToolContext,
    @inject(Ledger) ledger: Ledger,
    due?: Date,
  ): void {
    ledger.entries.push({ orderId, cents, due, by: context.userId });
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds] })
class Desk extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('refund', { orderId: 'A-17', cents: '500', due: '2027-05-17T00:00:00Z' }),
  callsTool('refund', { orderId: '17', cents: 0.5, color: 'red' }),
  says('Done.'),
);
await using runner = await createRunner(Desk, { model });

const { events } = await runner.run({ userId: 'ada', message: 'Refund five euros for A-17' });
for (const { response } of events.flatMap(({ functionResponses }) => functionResponses))
  console.log(response);
console.log(runner.get(Ledger).entries);
