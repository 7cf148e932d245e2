import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { searchable } from '@adorn/tool-search';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

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
   * Pay the money for an order back.
   * @param id Its number, such as "A-17".
   */
  @tool({ effect: 'destructive', confirm: false })
  refundOrder(id: string): string {
    return `${id} is refunded.`;
  }
}

class Warehouse {
  /** Count the pieces of an article that are in stock. @param article Its name, such as "lamp". */
  @tool({ effect: 'read' })
  countStock(article: string): number {
    return article.length;
  }
}

/** Tell when the shop is open. */
function openingHours(): string {
  return 'From nine to five.';
}

const model = new ScriptedModel(
  callsTool('refund_order', { id: 'A-17' }),
  callsTool('search_tools', { query: 'give money back', limit: 1 }),
  callsTool('refund_order', { id: 'A-17' }),
  says('Your money is on its way.'),
);

@agent({ model, tools: [searchable([Orders, Warehouse, openingHours])] })
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk);
const { events } = await runner.run({ userId: 'ada', message: 'I want my money back for A-17.' });

for (const { response } of events.flatMap(({ functionResponses }) => functionResponses))
  console.log(response);
for (const { config } of model.requests) {
  const [{ functionDeclarations = [] } = {}] = (config.tools ?? []) as [
    { functionDeclarations?: { name?: string }[] }?,
  ];
  console.log(functionDeclarations.map(({ name }) => name).join(' '));
}
