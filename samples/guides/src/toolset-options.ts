import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  createRunner,
  defineAgent,
  FunctionTool,
  type Tool,
  Toolset,
  type ToolsetContext,
  withOptions,
} from 'adorn';

/** Stands for a toolset of another package, such as `openApiToolset` or `mcpToolset`. */
class Catalogue extends Toolset {
  private readonly find = new FunctionTool({
    name: 'find',
    description: 'Finds a book.',
    effect: 'read',
    run: () => 'shelf 7',
  });
  private readonly order = new FunctionTool({
    name: 'order',
    description: 'Orders a book.',
    effect: 'write',
    run: () => 'ordered',
  });

  override listTools(): Tool[] {
    return [this.find, this.order];
  }
}

/** Gives the tools of a toolset a time limit, and a second attempt to those that only read. */
class Patient extends Toolset {
  constructor(private readonly inner: Toolset) {
    super();
  }

  override async listTools(context: ToolsetContext): Promise<Tool[]> {
    const tools = await this.inner.listTools(context);
    return tools.map((tool) =>
      withOptions(tool, { timeout: 2_000, ...(tool.traits.effect === 'read' && { retry: 2 }) }),
    );
  }

  override async close(): Promise<void> {
    await this.inner.close();
  }
}

const model = new ScriptedModel(callsTool('find'), callsTool('order'), says('It is ordered.'));
const Clerk = defineAgent({ name: 'clerk', model, tools: [new Patient(new Catalogue())] });

await using runner = await createRunner(Clerk);
const { events, text } = await runner.run({ userId: 'ada', message: 'Dune, please.' });
for (const { name, response } of events.flatMap(({ functionResponses }) => functionResponses))
  console.log(name, response);
console.log(text);
