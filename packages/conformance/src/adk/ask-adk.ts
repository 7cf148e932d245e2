import { remoteAgent } from '@adorn/a2a';
import { createRunner, type Runner } from '@adorn/core';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { firstLine, startProgram } from './google-program.js';

/** An agent of Adorn asks an agent of Google's ADK over A2A, and a person answers its question. */
export async function askAdk(folder: string): Promise<Check[]> {
  const program = startProgram(folder, 'a2a-server.mjs');
  try {
    const url = await firstLine(program);
    await using runner = await createRunner(
      remoteAgent(url, { name: 'keeper', description: 'Keeps files.' }),
    );
    return [
      { what: 'an answer after a tool', fault: await weather(runner) },
      { what: 'a confirmation that is approved', fault: await deletion(runner, 's2', true) },
      { what: 'a confirmation that is denied', fault: await deletion(runner, 's3', false) },
    ];
  } finally {
    program.stdin?.end();
    program.kill();
  }
}

async function weather(runner: Runner<unknown>): Promise<string | undefined> {
  const { text } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'What is the weather?' });
  return findDifference('The tool answered: {"city":"Oslo","celsius":4}.', text);
}

async function deletion(
  runner: Runner<unknown>,
  sessionId: string,
  isApproved: boolean,
): Promise<string | undefined> {
  const address = { userId: 'ada', sessionId };
  await runner.run({ ...address, message: 'Please delete /x.' });
  const [request] = await runner.pending(address);
  if (request === undefined) return 'nothing is pending';
  const { text } = isApproved ? await runner.supply(request, true) : await runner.reject(request);
  const isDeleted = text === 'The tool answered: {"deleted":"/x"}.';
  return isDeleted === isApproved
    ? undefined
    : `the answer is ${JSON.stringify(text)}; the hint was ${JSON.stringify(request.hint)}`;
}
