import { createInterface } from 'node:readline/promises';

import { callsTool, says } from '@adorn/testing';
import { createRunner, type PendingRequest } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Waiter } from './waiter.agent.js';

const model = geminiOrScript(
  callsTool('get_user_choice', { prompt: 'What would you like to drink?', options: ['tea', 'coffee'] }),
  says('It is on its way.'),
);
await using runner = await createRunner(Waiter, { model });

let result = await runner.run({ userId: 'ada', message: 'Something hot, please.' });
for (let [request] = result.pending; request !== undefined; [request] = result.pending) {
  result = await runner.supply(request, await choose(request));
}
console.log(result.text);

/** Shows the options, and reads one; the first where nobody is at the terminal. */
async function choose({ args }: PendingRequest): Promise<string> {
  const { prompt, options } = args as { readonly prompt: string; readonly options: readonly string[] };
  const question = `${prompt} (${options.join(', ')}) `;
  if (!process.stdin.isTTY) {
    console.log(`${question}${options[0] ?? ''}`);
    return options[0] ?? '';
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const choice = await terminal.question(question);
  terminal.close();
  return choice;
}
