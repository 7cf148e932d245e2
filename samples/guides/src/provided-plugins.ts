import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  ContainerModule,
  createRunner,
  LlmAgent,
  Logger,
  RedactionPlugin,
  ReflectAndRetryPlugin,
  SecurityPolicyPlugin,
  tool,
  ToolError,
} from 'adorn';

class Orders {
  /** Find an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  findOrder(orderId: string): { orderId: string; email: string } {
    if (orderId !== 'A-17') throw new ToolError(`There is no order "${orderId}".`);
    return { orderId, email: 'ada@example.org' };
  }

  /** Refund an order. @param orderId Order number. */
  @tool()
  refundOrder(orderId: string): string {
    return `refunded ${orderId}`;
  }

  /** Delete an order. @param orderId Order number. */
  @tool()
  deleteOrder(orderId: string): string {
    return `deleted ${orderId}`;
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

/** Prints warnings, without their facts. */
class Warnings extends Logger {
  override debug(): void {}

  override info(): void {}

  override warn(message: string): void {
    console.log(`! ${message}`);
  }

  override error(message: string): void {
    console.log(`! ${message}`);
  }
}

const model = new ScriptedModel(
  callsTool('find_order', { orderId: '17' }),
  callsTool('find_order', { orderId: 'A-17' }),
  callsTool('delete_order', { orderId: 'A-17' }),
  says('I may not delete it. A mail goes to ada@example.org.'),
  callsTool('refund_order', { orderId: 'A-17' }),
);

await using runner = await createRunner(Desk, {
  model,
  modules: [new ContainerModule(({ bind }) => void bind(Logger).to(Warnings))],
  plugins: [
    new RedactionPlugin({ patterns: [/[\w.]+@[\w.]+\w/] }),
    new SecurityPolicyPlugin({
      rules: [
        { tools: 'find_*', decision: 'allow' },
        { tools: 'refund_order', users: ['ada', 'bob'], decision: 'ask', hint: 'Refund the order?' },
      ],
    }),
    new ReflectAndRetryPlugin({ maxRetries: 2 }),
  ],
});

const address = { userId: 'ada', sessionId: 's1' };
for (const message of ['Delete order 17.', 'Refund it, then.']) {
  for await (const event of runner.run({ ...address, message })) {
    for (const { response } of event.functionResponses) console.log(response);
    if (event.text !== '') console.log(event.text);
  }
}
console.log((await runner.pending(address)).map(({ hint, args }) => ({ hint, args })));
