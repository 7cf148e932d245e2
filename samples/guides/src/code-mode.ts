import { quickJs } from '@adorn/sandbox';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';
import { codeMode } from 'adorn/backend';

class Orders {
  /** The open orders of a customer. @param customer Name, such as "ada". */
  @tool({ effect: 'read' })
  openOrders(customer: string) {
    return [1, 2, 3].map((id) => ({ id, customer, total: id * 40, isLate: id > 1 }));
  }

  /**
   * Refunds an order.
   * @param id Number of the order.
   * @param amount Amount in euros.
   */
  @tool({
    confirm: (id: number, amount: number) =>
      amount > 50 ? `Refund ${String(amount)} € for order ${String(id)}?` : false,
  })
  refund(id: number, amount: number) {
    return `Refunded ${String(amount)} € for order ${String(id)}.`;
  }
}

// Stands for a model that writes one script for the whole task.
const code = `
const late = (await open_orders({ customer: 'ada' })).filter(({ isLate }) => isLate);
const done = [];
for (const { id, total } of late) done.push(await refund({ id, amount: total / 2 }));
return done;`;
const model = new ScriptedModel(callsTool('run_script', { code }), says('Two late orders are refunded.'));

const sandbox = quickJs({ timeout: 2_000 });

/** Cares for orders. */
@agent({ model, tools: [codeMode(sandbox, { tools: [Orders] })] })
class Support extends LlmAgent {}

await using runner = await createRunner(Support);
const ada = { userId: 'ada', sessionId: 's1' };
await runner.run({ ...ada, message: 'Refund half of each late order.' });
for (const request of await runner.pending(ada)) {
  console.log(request.hint);
  const { events } = await runner.approve(request);
  for (const { response } of events.flatMap(({ functionResponses }) => functionResponses))
    console.log(response);
  console.log(events.at(-1)?.text);
}
await sandbox.close();
