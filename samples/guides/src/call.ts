import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Orders {
  /**
   * Pays an order back.
   *
   * @param order the number of the order
   * @param amount in euros
   */
  @tool({ confirm: (_order, amount) => amount > 100 })
  refund(order: string, amount: number) {
    return { order, refunded: amount };
  }
}

/** Desk of a shop. */
@agent({ model: null, tools: [Orders] })
export class Desk extends LlmAgent {}

await using runner = await createRunner(Desk);
const address = { userId: 'ada', sessionId: 's1' };

const small = await runner.call({
  tool: 'refund',
  args: { order: 'A-17', amount: 20 },
  by: 'ann',
  channel: 'form',
  ...address,
});
console.log(small.status, small.output);

const large = await runner.call({
  tool: 'refund',
  args: { order: 'A-18', amount: 500 },
  by: 'ann',
  ...address,
});
console.log(large.status, large.pending[0]?.args);

const [request] = await runner.pending(address);
if (request !== undefined) console.log(await runner.approve(request, { by: 'bob' }).output);

const wrong = await runner.call({ tool: 'refund', args: { order: 'A-19' }, by: 'ann', ...address });
console.log(wrong.status, wrong.events.at(-1)?.errorCode);
