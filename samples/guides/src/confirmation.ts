import { sqlStorage } from '@adorn/storage';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Refunds {
  /**
   * Refund an order.
   * @param orderId Order number, such as "A-17".
   * @param euros Amount in euros.
   */
  @tool({
    effect: 'destructive',
    confirm: (orderId, euros) => euros > 50 && `Refund ${String(euros)} EUR for order ${orderId}?`,
    approvers: 'others',
  })
  refundOrder(orderId: string, euros: number): { orderId: string; refunded: number } {
    return { orderId, refunded: euros };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds] })
class Desk extends LlmAgent {}

const conversation = { userId: 'ada', sessionId: 'order-a-17' };
const typed = process.argv.slice(2).join(' ');

await using runner = await createRunner(Desk, {
  modules: [sqlStorage('desk.db')],
  model: new OfflineModel(),
});
const { text, pending } = await answer();
if (text !== '') console.log(text);
for (const { hint } of pending) console.log('waits for a person:', hint);

/** A pending request takes `yes`, or the reason for a no; otherwise what was typed is a message to the agent. */
async function answer() {
  const [request] = await runner.pending(conversation);
  if (request === undefined) return runner.run({ ...conversation, message: typed });
  return typed === 'yes'
    ? runner.approve(request, { by: 'grace', channel: 'terminal' })
    : runner.reject(request, { by: 'grace', channel: 'terminal', reason: typed });
}
