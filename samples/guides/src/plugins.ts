import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  ContainerModule,
  createRunner,
  inject,
  joinText,
  LlmAgent,
  type ModelRequest,
  type ModelResponse,
  Plugin,
  tool,
  type Tool,
  type ToolContext,
} from 'adorn';

/** Where the application records what its agents did. */
class AuditLog {
  readonly entries: string[] = [];
}

/** Records every call of every tool, by user. */
class Audit extends Plugin {
  override readonly name = 'audit';

  constructor(@inject(AuditLog) private readonly log: AuditLog) {
    super();
  }

  override afterTool(used: Tool, args: object, _result: unknown, context: ToolContext): void {
    this.log.entries.push(`${context.userId}: ${used.name} ${JSON.stringify(args)}`);
  }

  override onToolError(used: Tool, _args: object, error: unknown, context: ToolContext): void {
    this.log.entries.push(`${context.userId}: ${used.name} failed: ${String(error)}`);
  }
}

/** Answers for the model if the latest message contains a card number. */
class NoCardNumbers extends Plugin {
  override readonly name = 'no_card_numbers';

  override beforeModel({ contents }: ModelRequest): ModelResponse | undefined {
    if (!/\b\d{4}( ?\d{4}){3}\b/.test(joinText(contents.at(-1)))) return undefined;
    return { content: { role: 'model', parts: [{ text: 'Please do not send card numbers.' }] } };
  }
}

class Orders {
  /** Find an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'read' })
  findOrder(orderId: string): { orderId: string; status: string } {
    if (orderId !== 'A-17') throw new Error(`no such order: ${orderId}`);
    return { orderId, status: 'shipped' };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

const auditing = new ContainerModule(({ bind }) => {
  bind(AuditLog).toSelf().inSingletonScope();
  bind(Plugin).to(Audit).inSingletonScope();
});
const model = new ScriptedModel(callsTool('find_order', { orderId: 'A-17' }), says('It is on its way.'));

await using runner = await createRunner(Desk, { modules: [auditing], plugins: [new NoCardNumbers()], model });
console.log(await runner.ask('Where is A-17?', { userId: 'ada' }));
console.log(await runner.ask('My card is 4111 1111 1111 1111', { userId: 'ada' }));
console.log(runner.get(AuditLog).entries);
