import { setTimeout } from 'node:timers/promises';

import type { Check } from '@adorn/conformance/check';
import type { Runner } from '@adorn/core';

import { CLOCK_USER, EVERY_S, type OutsideFiles, type Posted, radioId } from './outside.js';

/** How long what has begun may take to end, in milliseconds. */
const END_MS = 120_000;

/** What came of the occurrences of the schedule and of the messages of the radio, once they have all ended or two minutes are over. */
export async function outsideVerdict(
  runner: Runner<unknown>,
  files: OutsideFiles,
): Promise<Record<string, Check[]>> {
  for (const deadline = Date.now() + END_MS; ;) {
    const found = {
      'each occurrence once, none lost': await occurrences(runner, files.restAt),
      'each message of a channel answered once': messages(files),
    };
    const isGood = Object.values(found).every((checks) => checks.every(({ fault }) => fault === undefined));
    if (isGood || Date.now() > deadline) return found;
    await setTimeout(1_000);
  }
}

/** All since the first one that there is: a schedule begins when it is first looked at. */
async function occurrences(runner: Runner<unknown>, restAt: number): Promise<Check[]> {
  const answers = await answersByRun(runner);
  const timeOf = (id: string): number => Date.parse(id.slice(id.indexOf('@') + 1));
  const first = Math.min(...[...answers.keys()].map(timeOf));
  if (first === Infinity) return [{ what: 'the schedule', fault: 'it has begun nothing' }];
  const every = EVERY_S * 1_000;
  const due = Array.from({ length: Math.floor((restAt - first) / every) + 1 }, (_, n) => first + n * every);
  const wanted = new Set(due.map((time) => `alarm@${new Date(time).toISOString()}`));
  return [...new Set([...wanted, ...answers.keys()])].map((id) => {
    const count = answers.get(id) ?? 0;
    const fault = count === 1 && wanted.has(id) ? undefined : `it has ${String(count)} answers`;
    return { what: id, fault };
  });
}

/** How many answers the runs of the schedule have, in whatever sessions. */
async function answersByRun(runner: Runner<unknown>): Promise<ReadonlyMap<string, number>> {
  const { appName } = runner;
  const counts = new Map<string, number>();
  for (const { id: sessionId } of await runner.sessions.listSessions({ appName, userId: CLOCK_USER })) {
    const session = await runner.sessions.getSession({ appName, userId: CLOCK_USER, sessionId });
    for (const { author, text, invocationId } of session?.events ?? [])
      if (author === 'clerk' && text !== '') counts.set(invocationId, (counts.get(invocationId) ?? 0) + 1);
  }
  return counts;
}

/** Written once by its id, and as the answer to its own message. A platform shows an id once that is written again. */
function messages(files: OutsideFiles): Check[] {
  const posted = files.read('posted').map((line) => JSON.parse(line) as Posted);
  return [...new Set(files.read('sent'))].map((id) => {
    const answers = posted.filter(({ text }) => text.split(' ').includes(radioId(id)));
    const ids = new Set(answers.map((one) => one.id));
    const isOther = answers.some((one) => one.answers !== id);
    const fault = isOther ? 'is written under another message' : `has ${String(ids.size)} answers`;
    return { what: `radio@${id}`, fault: ids.size === 1 && !isOther ? undefined : fault };
  });
}
