import { setTimeout as pause } from 'node:timers/promises';

import { type Check, type Section, timed } from '@adorn/conformance/check';
import type { Runner } from '@adorn/core';

import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import { postgresStore, sqliteStore } from '../storage/chaos-store.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';
import { APP, EVERY_S, openWatch, USER } from './scheduled-agent.js';

const PROCESSES = 4;

/** How far a clock is set at most, in milliseconds. */
const STEP_MS = 20_000;

export const schedulesChaos = chaosSuite({
  name: 'schedules',
  takes: 'five minutes',
  summary:
    'four processes begin a schedule of every two seconds; they are killed, stand still, and have their clocks set; ' +
    'each occurrence must run once, and none may be lost',
  counts: { seconds: { default: 100, what: 'seconds of chaos on each store' } },
  parts: ['sqlite', 'postgres'],
  run: breakSchedules,
});

async function* breakSchedules(options: SuiteOptions<'seconds'>): AsyncGenerator<Section> {
  for (const [part, open] of [
    ['sqlite', sqliteStore],
    ['postgres', postgresStore],
  ] as const) {
    if (!options.parts.includes(part)) continue;
    const store = await open();
    try {
      const url = await store.newUrl();
      yield await timed(store.name, () => round(url, options));
    } finally {
      await store.close();
    }
  }
}

async function round(url: string, { counts: { seconds }, from }: SuiteOptions<'seconds'>) {
  const random = seededRandom(from);
  const below = (most: number): number => Math.floor(random() * most);
  const runner = await openWatch(url);
  const begun = Date.now();
  const children = await Promise.all(Array.from({ length: PROCESSES }, () => startChild(url)));
  const faults: string[] = [];
  let ends = 0;
  while (Date.now() - begun < seconds * 1_000) {
    await pause(below(2_500));
    const index = below(PROCESSES);
    const child = children[index];
    const deed = below(4);
    if (deed === 0) child?.tell(String(below(2 * STEP_MS) - STEP_MS));
    else if (deed === 1 && child) {
      child.freeze(true);
      void pause(below(8_000)).then(() => {
        child.freeze(false);
      });
    } else {
      const fault = await child?.kill();
      if (fault !== undefined) faults.push(fault);
      ends++;
      children[index] = await startChild(url);
    }
  }
  const last = Date.now() - STEP_MS;
  // The longest lease, and what is begun behind it.
  const checks = await settle(runner, { begun, last });
  for (const child of children) await child.kill();
  await runner.close();
  const deaths: Check[] = [{ what: `${String(ends)} deaths`, fault: faults[0] }];
  return [
    { name: 'each occurrence once, none lost', checks },
    { name: 'nothing ends by itself', checks: deaths },
  ];
}

async function startChild(url: string): Promise<Child> {
  const child = new Child('scheduler.child.js', import.meta.url, [url]);
  await child.untilLines(1);
  return child;
}

/** Waits until all occurrences of a span have answers, or a minute and a half has passed, and looks at each. */
async function settle(
  runner: Runner<unknown>,
  { begun, last }: { readonly begun: number; readonly last: number },
): Promise<Check[]> {
  const every = EVERY_S * 1_000;
  // The clock of the first process may be behind by the time that it takes to start.
  const first = (Math.floor(begun / every) + 5) * every;
  const times = Array.from(
    { length: Math.max(0, Math.floor((last - first) / every)) },
    (_, n) => first + n * every,
  );
  for (let tries = 0; ; tries++) {
    const answers = await answersByRun(runner);
    const checks = times.map((time) => {
      const id = `watch@${new Date(time).toISOString()}`;
      const found = answers.get(id) ?? 0;
      return { what: id, fault: found === 1 ? undefined : `it has ${String(found)} answers` };
    });
    for (const [id, count] of answers)
      if (count > 1) checks.push({ what: id, fault: `it has ${String(count)} answers` });
    if (tries === 45 || checks.every(({ fault }) => fault === undefined)) return checks;
    await pause(2_000);
  }
}

/** How many answers the runs have, in whatever sessions. */
async function answersByRun(runner: Runner<unknown>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { id: sessionId } of await runner.sessions.listSessions({ appName: APP, userId: USER })) {
    const session = await runner.sessions.getSession({ appName: APP, userId: USER, sessionId });
    for (const { author, text, invocationId } of session?.events ?? [])
      if (author !== 'user' && text === 'done') counts.set(invocationId, (counts.get(invocationId) ?? 0) + 1);
  }
  return counts;
}
