import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  createRunner,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { sqlStorage } from '@adorn/storage';

export const APP = 'chaos';

/** Answers "pay N" by a call that needs approval, anything else by one that writes state, and a result by a word. */
class ChaosModel extends Model {
  readonly name = 'chaos';

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    await sleep(5);
    const { parts = [] } = contents.at(-1) ?? {};
    const [, payment] = /^pay (\d+)/.exec(parts[0]?.text ?? '') ?? [];
    const part = parts.some(({ functionResponse }) => functionResponse !== undefined)
      ? { text: 'done' }
      : {
          functionCall:
            payment === undefined ? { name: 'count', args: {} } : { name: 'pay', args: { payment } },
        };
    yield { content: { role: 'model', parts: [part] } };
  }
}

/** @param effects the file to which each payment is written */
export function openChaosRunner(url: string, effects = ''): Promise<Runner> {
  let count = 0;
  const counts = defineTool({
    name: 'count',
    description: 'Counts.',
    parameters: { type: 'object' },
    run: (_args, context) => {
      context.state.set('count', ++count);
      return count;
    },
  });
  const pays = defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { payment: { type: 'string' } }, required: ['payment'] },
    confirm: true,
    run: ({ payment }) => {
      appendFileSync(effects, `${String(payment)}\n`);
      return 'paid';
    },
  });
  const agent = defineAgent({ name: APP, description: 'Counts and pays.', tools: [counts, pays] });
  return createRunner(agent, { model: new ChaosModel(), modules: [sqlStorage(url)] });
}
