import {
  type AgentClass,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Tool,
  tool,
  type ToolContext,
  undo,
  workflow,
} from '@adorn/core';
import type { ApproverRule, OnceOptions, Principal, ToolTraits } from '@adorn/core/backend';

import type { DeedLog } from '../processes/deed-log.js';

/** The name of the undo of what is filed. */
export const UNDO = 'withdraw';

/** The result of each tool. */
export const DONE = 'done';

/** The tools whose calls may run again, each under one key. */
export const REPEATABLE: ReadonlySet<string> = new Set(['book', 'book_ada', 'book_bob', 'stamp']);

const TOOLS_OF: Readonly<Record<string, readonly string[]>> = {
  note: ['note'],
  book: ['book'],
  pay: ['pay'],
  archive: ['archive'],
  order: ['order'],
  sign: ['sign'],
  release: ['release'],
  file: ['file'],
};

/** Two managers approve what a step signs, one after the other. */
export const MANAGERS: readonly Principal[] = [
  { id: 'mia', roles: ['manager'], attributes: {} },
  { id: 'max', roles: ['manager'], attributes: {} },
];

/** Who may approve what a step releases, once nobody has for a time. */
export const DIRECTOR: Principal = { id: 'dora', roles: ['director'], attributes: {} };

/** Who may approve it at once. */
export const OWNER: Principal = { id: 'otto', roles: ['owner'], attributes: {} };

/** How long a release waits until it is escalated, in milliseconds, for a pace. */
export function escalatedAfter(pace: number): number {
  return 40 * pace;
}

interface DeskOptions {
  readonly deeds: DeedLog;
  /** Milliseconds that each step of a model or a tool takes. */
  readonly pace: number;
}

/**
 * A desk that does what a message asks for, two branches that book at the same time, and a clerk who stamps and answers. What
 * they say depends on the message and on the results of repeatable tools alone, whatever happens to their machines.
 */
export function newDesk(options: DeskOptions): AgentClass<unknown> {
  const leaf = (
    name: string,
    asked: (kind: string) => readonly string[],
    ...tools: (Tool | ReturnType<typeof newCabinet>)[]
  ) => defineAgent({ name, description: name, tools, model: new AskingModel(name, options.pace, asked) });
  const repeatable = (name: string): Tool => newTool(options, name, { idempotent: true });
  const whenBoth = (tool: string) => (kind: string) =>
    kind === 'both' ? [tool] : kind === 'bills' ? ['bill'] : [];
  // Both branches bill the same: the ledger gives the effect to one of them.
  const bill = (): Tool => newTool(options, 'bill', {}, { once: { key: ({ id }) => String(id) } });
  return workflow.sequence(
    leaf(
      'desk',
      (kind) => TOOLS_OF[kind] ?? [],
      newTool(options, 'note'),
      repeatable('book'),
      newTool(options, 'pay', { confirm: true }),
      newTool(options, 'archive', { background: true }),
      newTool(options, 'order', { longRunning: true }),
      newTool(options, 'sign', {}, { approvers: { role: 'manager', count: 2 } }),
      newTool(options, 'release', {}, { approvers: ownerThenDirector(options) }),
      newCabinet(options),
    ),
    workflow.parallel(
      leaf('ada', whenBoth('book_ada'), repeatable('book_ada'), bill()),
      leaf('bob', whenBoth('book_bob'), repeatable('book_bob'), bill()),
      { name: 'branches' },
    ),
    leaf('clerk', () => ['stamp'], repeatable('stamp')),
    { name: 'flow' },
  );
}

function ownerThenDirector({ pace }: DeskOptions): ApproverRule {
  return { role: 'owner', escalate: { after: escalatedAfter(pace), to: { role: 'director' } } };
}

/** Files what a message names, and can withdraw it. */
function newCabinet({ deeds, pace }: DeskOptions) {
  const done = async (
    name: string,
    sessionId: string,
    { idempotencyKey: key }: ToolContext,
  ): Promise<void> => {
    await paused(pace);
    deeds.note({ sessionId, kind: 'effect', tool: name, key });
    await paused(pace);
  };
  class Cabinet {
    @tool({ description: 'Files.', effect: 'write', parameters: ID })
    async file({ id }: { id: string }, context: ToolContext): Promise<{ filed: string }> {
      await done('file', id, context);
      return { filed: id };
    }

    @undo('file')
    async withdraw({ filed }: { filed: string }, context: ToolContext): Promise<string> {
      await done(UNDO, filed, context);
      return DONE;
    }
  }
  return Cabinet;
}

const ID = {
  type: 'object',
  properties: { id: { type: 'string', description: 'Of the paper.' } },
  required: ['id'],
} as const;

interface Promises {
  readonly approvers?: ApproverRule;
  readonly once?: OnceOptions;
}

function newTool(
  { deeds, pace }: DeskOptions,
  name: string,
  traits: Omit<ToolTraits, 'approvers' | 'once' | 'remember'> & { readonly confirm?: true } = {},
  { approvers, once }: Promises = {},
): Tool {
  return defineTool({
    effect: 'write',
    ...traits,
    ...(approvers && { approvers }),
    ...(once && { once }),
    name,
    description: name,
    parameters: ID,
    run: async ({ id }, { idempotencyKey: key }) => {
      await paused(pace * (name === 'archive' ? 10 : 1));
      deeds.note({ sessionId: String(id), kind: 'effect', tool: name, key });
      await paused(pace);
      return name === 'order' ? { ticket: String(id) } : DONE;
    },
  });
}

/** Asks for the tools of the last message, and says what came of those that are repeatable. */
class AskingModel extends Model {
  constructor(
    override readonly name: string,
    private readonly pace: number,
    private readonly asked: (kind: string) => readonly string[],
  ) {
    super();
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    await paused(this.pace);
    const parts = contents.flatMap(({ parts: each = [] }) => each);
    const last = parts.findLastIndex(({ text = '' }) => MESSAGE.test(text));
    const [kind = '', id = ''] = parts[last]?.text?.split(' ') ?? [];
    const later = parts.slice(last + 1);
    const called = new Set(later.map(({ functionCall }) => functionCall?.name));
    const next = this.asked(kind).find((name) => !called.has(name));
    if (next !== undefined) {
      yield { content: { role: 'model', parts: [{ functionCall: { name: next, args: { id } } }] } };
      return;
    }
    const results = this.asked(kind)
      .filter((name) => REPEATABLE.has(name))
      .map((name) => {
        const response = later.findLast(({ functionResponse }) => functionResponse?.name === name);
        return `${name} ${JSON.stringify(response?.functionResponse?.response)}`;
      });
    yield { content: { role: 'model', parts: [{ text: [this.name, kind, id, ...results].join(' ') }] } };
  }
}

/** A message of a step. What other agents have said is told to a model in other words. */
const MESSAGE = /^[a-z]+ \d+\.\d+\.\d+$/;

function paused(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
