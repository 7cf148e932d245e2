import { createInterface } from 'node:readline';

import { createRunner } from 'adorn';
import { chooseModel, reportFailure } from 'adorn/main';

import { Reception } from './reception.agent.js';

async function main(): Promise<void> {
  const message = process.argv.slice(2).join(' ') || 'Cancel booking B-17';
  const { model, line } = chooseModel();
  console.log(line);
  await using runner = await createRunner(Reception, { model });
  console.log(`> ${message}`);

  let result = await runner.run({ userId: 'me', message });
  for (let [request] = result.pending; request !== undefined; [request] = result.pending) {
    const isApproved = await confirm(request.hint ?? `Run ${request.tool}?`);
    result = await (isApproved ? runner.approve(request) : runner.reject(request));
  }
  if (result.error !== undefined) throw result.error;
  console.log(result.text);
}

/** Asks in the terminal. The end of the input means no. */
async function confirm(question: string): Promise<boolean> {
  process.stdout.write(`? ${question} (y/n) `);
  for await (const answer of createInterface({ input: process.stdin })) return answer.trim() === 'y';
  return false;
}

main().catch(reportFailure);
