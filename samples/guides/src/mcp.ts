import { mcpToolset, serveMcp } from '@adorn/mcp';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Orders {
  /** Find an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  findOrder(orderId: string): { orderId: string; status: string } {
    return { orderId, status: 'shipped' };
  }

  /** Refund an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'destructive', approvers: 'requester' })
  refundOrder(orderId: string): { refunded: string } {
    return { refunded: orderId };
  }
}

// Serves the class: any MCP client may call its tools.
await using server = await serveMcp(Orders, { name: 'orders', http: {} });

// The tools of a server, for an agent: this one happens to be the server above. It may ask the user during a call.
const orders = mcpToolset({ url: server.url ?? '', confirm: false, elicitation: true });

/** Answers questions about orders. */
@agent({ model: 'gemini-2.5-flash', tools: [orders] })
class Desk extends LlmAgent {}

const conversation = { userId: 'ada', sessionId: 'orders' };
await using runner = await createRunner(Desk, { model: new OfflineModel() });
console.log(await runner.ask('Find order A-17', conversation));
const { pending } = await runner.run({ ...conversation, message: 'Refund order A-17' });
for (const request of pending) {
  console.log(`asks for an ${request.kind}: ${request.tool}`);
  const { text } = await runner.supply(request, { approve: true });
  console.log(text);
}
