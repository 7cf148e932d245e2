import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool, toolbox } from 'adorn';

/** Orders of the shop: find and refund them. */
@toolbox({ unfold: true })
class Orders {
  /**
   * Find an order.
   * @param id Its number, such as "A-17".
   */
  @tool({ effect: 'read' })
  findOrder(id: string): string {
    return `${id} is on its way.`;
  }

  /**
   * Refund an order.
   * @param id Its number, such as "A-17".
   */
  @tool({ effect: 'destructive', approvers: 'requester' })
  refundOrder(id: string): string {
    return `${id} is refunded.`;
  }
}

/** Desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('find_order', { id: 'A-17' }),
  callsTool('open_orders'),
  callsTool('find_order', { id: 'A-17' }),
  says('It is on its way.'),
);
await using runner = await createRunner(Desk, { model });
const { events } = await runner.run({ userId: 'ada', message: 'Where is order A-17?' });

for (const { functionResponses } of events)
  for (const { response } of functionResponses) console.log(response);
for (const { config } of model.requests) {
  const [{ functionDeclarations }] = config.tools as [{ functionDeclarations: { name: string }[] }];
  console.log(functionDeclarations.map(({ name }) => name).join(' '));
}
