import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Check, type Section, timed } from '@adorn/conformance/check';

import { type ChaosStore, postgresStore, sqliteStore } from '../storage/chaos-store.js';
import type { Place } from './call-log.js';
import { type CountingTool, MARKS } from './counting-tools.js';
import { dieAt, dieBySeed, NAMED_MOMENTS } from './killed-calls.js';
import { answerTwice, REPEATED_ANSWERS } from './repeated-answers.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

/** How many cases run at once. */
const AT_ONCE = 2;
const QUICK_SEEDS = 8;
const TOOLS: readonly CountingTool[] = MARKS.flatMap((mark) => [
  { mark, isConfirmed: false },
  { mark, isConfirmed: true },
]);
const QUICK_TOOLS = TOOLS.filter(({ mark, isConfirmed }) => (mark === 'unmarked') === isConfirmed).slice(
  0,
  3,
);

type Case = (place: Place) => Promise<Check>;

export const callsChaos = chaosSuite({
  name: 'calls',
  takes: 'two to five minutes',
  summary:
    'processes die before, in and after the effect of a tool, while paused and during resume, and one ' +
    'answer is sent twice; each effect must happen as often as its tool is promised',
  counts: {
    seeds: { default: 100, what: 'cases that a seed decides' },
  },
  quick: 'three tools and 8 seeds, under a minute',
  run: breakCalls,
});

/** Kills processes around the calls of their tools, and answers one question twice; on SQLite and on PostgreSQL. */
async function* breakCalls({
  from,
  counts: { seeds },
  quick,
}: SuiteOptions<'seeds'>): AsyncGenerator<Section> {
  const tools = quick ? QUICK_TOOLS : TOOLS;
  const moments = tools.flatMap((tool) =>
    NAMED_MOMENTS.filter(({ needsApproval }) => tool.isConfirmed || needsApproval !== true).map(
      (moment): Case =>
        (place) =>
          dieAt(place, tool, moment),
    ),
  );
  const seeded = Array.from({ length: quick ? QUICK_SEEDS : seeds }, (_, index): Case => {
    const seed = from + index;
    const tool = TOOLS[seed % TOOLS.length] ?? { mark: 'unmarked', isConfirmed: false };
    return (place) => dieBySeed(place, tool, seed);
  });
  const answers = tools
    .filter(({ isConfirmed }) => isConfirmed)
    .flatMap((tool) =>
      REPEATED_ANSWERS.map(
        (way): Case =>
          (place) =>
            answerTwice(place, tool, way),
      ),
    );
  const works: readonly (readonly [string, readonly Case[]])[] = [
    ['killed at a named moment', moments],
    ['killed where a seed decides', seeded],
    ['one answer, sent twice', answers],
  ];
  for (const open of [sqliteStore, postgresStore]) {
    const store = await open();
    try {
      for (const [name, cases] of works) {
        const checking = async () => [{ name: 'cases', checks: await checksOf(cases, store) }];
        yield await timed(`calls on ${store.name}: ${name}`, checking);
      }
    } finally {
      await store.close();
    }
  }
}

/** The checks in the order of the cases, each with a database of its own. */
async function checksOf(cases: readonly Case[], store: ChaosStore): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-calls-'));
  const checks: Check[] = [];
  const left = cases.entries();
  const work = async (): Promise<void> => {
    for (const [index, run] of left) {
      const effects = join(folder, `${String(index)}.effects`);
      checks[index] = await run({ url: await store.newUrl(), effects });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
