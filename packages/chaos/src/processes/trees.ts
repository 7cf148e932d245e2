import {
  type AgentClass,
  agentTool,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  workflow,
  type Tool,
} from '@adorn/core';
import type { ToolTraits } from '@adorn/core/backend';

import type { DeedLog } from './deed-log.js';
import type { Life } from './life.js';

/** What the tools and models of a process share. */
interface Shop {
  readonly deeds: DeedLog;
  readonly life: Life;
}

/** The result of each tool, and of each call whose result arrives later. */
export const DONE = 'done';
/** The tools whose calls may run again: a read, and those that are idempotent. */
export const REPEATABLE: ReadonlySet<string> = new Set(['crawl', 'book_ada', 'book_bob']);

/** Trees by name. No model asks for a tool a second time, whatever it is told. */
export const TREES = {
  sequence: (shop) =>
    workflow.sequence(
      leaf(shop, 'reader', tool(shop, 'crawl', { effect: 'read' })),
      leaf(shop, 'payer', tool(shop, 'charge')),
      { name: 'flow' },
    ),
  'confirmed write': (shop) =>
    leaf(shop, 'desk', tool(shop, 'pay', { confirm: true }), tool(shop, 'receipt')),
  'agent as a tool': (shop) => {
    const clerk = leaf(shop, 'clerk', tool(shop, 'charge'));
    return defineAgent({
      name: 'boss',
      tools: [agentTool(clerk), tool(shop, 'receipt')],
      model: new AskingModel(shop.life, ['clerk', 'receipt']),
    });
  },
  'parallel branches': (shop) =>
    workflow.sequence(
      workflow.parallel(
        leaf(shop, 'ada', tool(shop, 'pay_ada', { confirm: true })),
        leaf(shop, 'bob', tool(shop, 'pay_bob', { confirm: true })),
        { name: 'both' },
      ),
      leaf(shop, 'payer', tool(shop, 'charge')),
      { name: 'flow' },
    ),
  'repeatable branches': (shop) =>
    workflow.sequence(
      workflow.parallel(
        leaf(shop, 'ada', tool(shop, 'book_ada', { confirm: true, idempotent: true })),
        leaf(shop, 'bob', tool(shop, 'book_bob', { confirm: true, idempotent: true })),
        { name: 'both' },
      ),
      leaf(shop, 'payer', tool(shop, 'charge')),
      { name: 'flow' },
    ),
  'result from outside': (shop) =>
    leaf(shop, 'desk', tool(shop, 'order', { longRunning: true }), tool(shop, 'ship')),
  'background call': (shop) =>
    leaf(shop, 'desk', tool(shop, 'archive', { background: true }), tool(shop, 'receipt')),
} satisfies Record<string, (shop: Shop) => AgentClass<unknown>>;

export type TreeName = keyof typeof TREES;
export const TREE_NAMES = Object.keys(TREES) as TreeName[];

/** An agent whose model asks for each of its tools, once, one after the other. */
function leaf({ life }: Shop, name: string, ...tools: readonly Tool[]): AgentClass<unknown> {
  const model = new AskingModel(
    life,
    tools.map((one) => one.name),
  );
  return defineAgent({ name, description: name, tools: [...tools], model });
}

function tool(
  { deeds, life }: Shop,
  name: string,
  options: Omit<ToolTraits, 'approvers' | 'remember'> & { readonly confirm?: true } = {},
): Tool {
  return defineTool({
    effect: 'write',
    ...options,
    name,
    description: name,
    parameters: { type: 'object' },
    run: async (_args, { sessionId, idempotencyKey: key }) => {
      await life.step();
      deeds.note({ sessionId, kind: 'began', tool: name, key });
      await life.step();
      deeds.note({ sessionId, kind: 'effect', tool: name, key });
      return options.longRunning === undefined ? DONE : { ticket: 1 };
    },
  });
}

/** Asks for its tools in their order, each once, and for the next one when the one before has its result. */
class AskingModel extends Model {
  readonly name = 'asking';

  constructor(
    private readonly life: Life,
    private readonly tools: readonly string[],
  ) {
    super();
  }

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    await this.life.step();
    const parts = contents.flatMap(({ parts: each = [] }) => each);
    const asked = new Set(parts.map(({ functionCall }) => functionCall?.name));
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    const next = this.tools.findIndex((name) => !asked.has(name));
    const isDue = this.tools.slice(0, Math.max(0, next)).every((name) => {
      const { response } = results.findLast((result) => result.name === name) ?? {};
      return response?.['result'] === DONE;
    });
    const name = isDue ? this.tools[next] : undefined;
    // Servers that count the calls of each answer give calls of several agents equal ids.
    const id = `call_${String(next)}`;
    const args = name === 'clerk' ? { request: 'Charge it.' } : {};
    const part = name === undefined ? { text: DONE } : { functionCall: { id, name, args } };
    yield { content: { role: 'model', parts: [part] } };
  }
}
