import { join } from 'node:path';

import { aiSdkModel } from '@adorn/ai-sdk';
import { sqlStorage } from '@adorn/storage';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createRunner, defineAgent, tool } from 'adorn';

import { quiet } from '../quiet-logger.js';
import { play } from './play.js';

const INVOICE = {
  type: 'object',
  properties: { invoice: { type: 'string', description: 'Its number.' } },
  required: ['invoice'],
} as const;
const BYTES = {
  type: 'object',
  properties: { bytes: { type: 'number', description: 'How much to return.' } },
  required: ['bytes'],
} as const;

await play(async ({ baseUrl, folder, charge, look, isAsked, isRepeated }) => {
  class Bank {
    @tool({
      description: 'Charges an invoice.',
      parameters: INVOICE,
      effect: 'write',
      confirm: isAsked,
      once: isRepeated ? ({ invoice }) => invoice : undefined,
    })
    charge(args: { invoice: string }): Promise<{ receipt: string }> {
      return charge(args);
    }

    @tool({ description: 'Looks.', parameters: BYTES, effect: 'read' })
    look(args: { bytes: number }): string {
      return look(args);
    }
  }
  const provided = createOpenAICompatible({ name: 'local', baseURL: baseUrl, apiKey: 'test' });
  const runner = await createRunner(defineAgent({ name: 'desk', tools: [Bank] }), {
    model: aiSdkModel(provided('local')),
    modules: [quiet, ...(folder === undefined ? [] : [sqlStorage(join(folder, 'desk.db'))])],
  });
  return {
    say: (sessionId, text) => runner.ask(text, { userId: 'ada', sessionId }),
    async ask(sessionId, message) {
      const { pending } = await runner.run({ userId: 'ada', sessionId, message });
      const [request] = pending;
      if (request === undefined) throw new Error('Nothing waits for a person.');
      return async () => {
        await runner.approve(request);
      };
    },
    recover: () => runner.recover(),
  };
});
