import {
  type AgentClass,
  agentTool,
  defineAgent,
  defineTool,
  workflow,
  type Tool,
  type ToolContext,
} from '@adorn/core';
import type { ApproverRule, OnceOptions, ToolTraits } from '@adorn/core/backend';

import type { Deed } from './deed-log.js';
import { AskingModel, deed, DONE, type Shop } from './shop.js';
import { undoableDesk } from './undoable-desk.js';

/** One effect for each conversation. */
const ONCE: OnceOptions = { key: () => 'the order', scope: 'session' };

/** The tools whose calls may run again: a read, and those that are idempotent. */
export const REPEATABLE: ReadonlySet<string> = new Set(['crawl', 'book_ada', 'book_bob']);
/** The tools that begin again where they find that an effect did not happen: the effect itself happens once. */
export const FINDABLE: ReadonlySet<string> = new Set(['order_once']);
/** The rules of the tools that others approve. */
const TWO_MANAGERS: ApproverRule = { role: 'manager', count: 2 };
const MANAGER_THEN_DIRECTOR: ApproverRule = {
  role: 'manager',
  escalate: { after: '10m', to: { role: 'director' } },
};

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
  'two approvals': (shop) =>
    leaf(shop, 'desk', tool(shop, 'pay', {}, { approvers: TWO_MANAGERS }), tool(shop, 'receipt')),
  'escalated approval': (shop) =>
    leaf(shop, 'desk', tool(shop, 'pay', {}, { approvers: MANAGER_THEN_DIRECTOR }), tool(shop, 'receipt')),
  'one effect of two agents': (shop) =>
    workflow.sequence(
      leaf(shop, 'ada', tool(shop, 'bill', {}, { once: ONCE })),
      leaf(shop, 'bob', tool(shop, 'bill', {}, { once: ONCE })),
      { name: 'flow' },
    ),
  'one effect that is found again': (shop) =>
    workflow.sequence(
      leaf(
        shop,
        'ada',
        tool(shop, 'order_once', { confirm: true }, { once: ONCE, reconcile: 'by its deeds' }),
      ),
      leaf(
        shop,
        'bob',
        tool(shop, 'order_once', { confirm: true }, { once: ONCE, reconcile: 'by its deeds' }),
      ),
      { name: 'flow' },
    ),
  'undone run': (shop) => undoableDesk(shop),
} satisfies Record<string, (shop: Shop) => AgentClass<unknown>>;

/** The tree whose runs are undone. */
export const UNDONE = 'undone run' satisfies keyof typeof TREES;

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

interface Promises {
  readonly approvers?: ApproverRule;
  readonly once?: OnceOptions;
  readonly reconcile?: 'by its deeds';
}

function tool(
  shop: Shop,
  name: string,
  options: Omit<ToolTraits, 'approvers' | 'once' | 'remember'> & { readonly confirm?: true } = {},
  { approvers, once, reconcile }: Promises = {},
): Tool {
  return defineTool({
    effect: 'write',
    ...options,
    ...(approvers && { approvers }),
    ...(once && { once }),
    ...(reconcile && {
      reconcile: (_args: unknown, { sessionId }: ToolContext) => {
        const isFound = ({ kind, tool: done }: Deed) => kind === 'effect' && done === name;
        return shop.deeds.of(sessionId).some(isFound) ? DONE : undefined;
      },
    }),
    name,
    description: name,
    parameters: { type: 'object' },
    run: async (_args, context) => {
      const done = await deed(shop, name, context);
      return options.longRunning === undefined ? done : { ticket: 1 };
    },
  });
}
