import {
  type AgentClass,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Tool,
} from '@adorn/core';
import { type FunctionToolFields } from '@adorn/core/backend';
import { codeMode } from '@adorn/sandbox/tools';
import { quickJs } from '@adorn/sandbox';

import type { DeedLog } from '../processes/deed-log.js';
import type { Life } from '../processes/life.js';

/** A script of the model, and what is left when nothing dies. */
export interface ScriptCase {
  readonly code: string;
  /** True if the shop takes an order that it gets twice once, by its key. */
  readonly idempotent: boolean;
  /** The value that the script returns. */
  readonly result: unknown;
  /** What the calls do, each once. */
  readonly effects: readonly string[];
}

const LOOP =
  'let sum = 0; for (const id of [1, 2]) sum += await look_up({ id });' +
  'return [sum, await pay({ id: 3 }), await look_up({ id: 4 })];';

const LOOPED = {
  code: LOOP,
  result: [30, 'paid 3', 40],
  effects: ['look_up_1', 'look_up_2', 'pay_3', 'look_up_4'],
};

export const CASES = {
  'a confirmation between calls': { ...LOOPED, idempotent: true },
  'two confirmations at a time': {
    code: 'return await Promise.all([pay({ id: 1 }), look_up({ id: 2 }), pay({ id: 3 })]);',
    result: ['paid 1', 20, 'paid 3'],
    effects: ['pay_1', 'look_up_2', 'pay_3'],
    idempotent: true,
  },
  'a payment that cannot be repeated': { ...LOOPED, idempotent: false },
} satisfies Readonly<Record<string, ScriptCase>>;

export type CaseName = keyof typeof CASES;

interface ShopPlace {
  readonly deeds: DeedLog;
  readonly life: Life;
  readonly sessionId: string;
}

/** An agent whose model answers with the script, and then says what the script has returned. */
export function shopOf({ code, idempotent }: ScriptCase, place: ShopPlace): AgentClass {
  const look = toolOf('look_up', { effect: 'read', idempotent: true }, place, (id) => id * 10);
  const pay = toolOf('pay', { confirm: true, idempotent }, place, (id) => `paid ${String(id)}`);
  const tools = [codeMode(quickJs(), { tools: [look, pay] })];
  return defineAgent({ name: 'shop', model: new ScriptModel(code), tools });
}

type Traits = Pick<FunctionToolFields, 'confirm' | 'effect' | 'idempotent'>;

function toolOf(
  name: string,
  traits: Traits,
  { deeds, life, sessionId }: ShopPlace,
  work: (id: number) => unknown,
): Tool {
  return defineTool({
    ...traits,
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
    run: async (args, { idempotencyKey: key }) => {
      await life.step();
      const id = Number(args['id']);
      deeds.note({ sessionId, kind: 'effect', tool: `${name}_${String(id)}`, key });
      await life.step();
      return work(id);
    },
  });
}

/** Knows from the conversation, in whatever process, whether the script has run. */
class ScriptModel extends Model {
  readonly name = 'script';

  constructor(private readonly code: string) {
    super();
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    const parts = contents.flatMap((content) => content.parts ?? []);
    const response = parts.findLast(({ functionResponse }) => functionResponse !== undefined);
    const call = { functionCall: { name: 'run_script', args: { code: this.code } } };
    const said = { text: `The script: ${JSON.stringify(response?.functionResponse?.response)}` };
    yield { content: { role: 'model', parts: [response ? said : call] } };
    await Promise.resolve();
  }
}
