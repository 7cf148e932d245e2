import { setTimeout } from 'node:timers/promises';

import { messageOf } from '@adorn/conformance/message-of';
import type { CodeExecutor } from '@adorn/core/backend';
import { bubblewrap, docker, pyodide, quickJs } from '@adorn/sandbox';

/** How many executions a figure is the median of, or the rate. */
const RUNS = 20;

/** A sandbox in each way in which it starts. */
const SANDBOXES: readonly (readonly [string, string, (stateful: boolean) => CodeExecutor])[] = [
  ['quickJs', 'javascript', (stateful) => quickJs({ stateful })],
  ['pyodide', 'python', (stateful) => pyodide({ stateful, warm: 1 })],
  ['bubblewrap', 'python', () => bubblewrap({ languages: ['python'] })],
  ['bubblewrap', 'bash', () => bubblewrap({ languages: ['bash'] })],
  ['docker', 'python', () => docker({ languages: ['python'] })],
];

const SMALLEST: Readonly<Record<string, string>> = { javascript: '1', python: '1', bash: ':' };

console.log('sandbox                 cold start   fresh, warm   kept state   kept calls/s');
for (const [name, language, open] of SANDBOXES) {
  const label = `${name} (${language})`.padEnd(22);
  try {
    console.log(`${label}  ${await figures(language, open)}`);
  } catch (error) {
    console.log(`${label}  absent: ${messageOf(error)}`);
  }
}

async function figures(language: string, open: (stateful: boolean) => CodeExecutor): Promise<string> {
  await using fresh = open(false);
  const code = SMALLEST[language] ?? '';
  const cold = await time(async () => {
    await fresh.ready();
    await fresh.execute({ code, language });
  });
  const warm: number[] = [];
  for (let run = 0; run < 3; run++) {
    // The next process starts beside the execution before.
    await setTimeout(fresh.languages[0] === 'python' && language === 'python' ? 15_000 : 500);
    warm.push(await time(() => fresh.execute({ code, language })));
  }
  await using kept = open(true);
  const texts = [cold, median(warm)].map((ms) => `${ms.toFixed(0)} ms`.padStart(11));
  if (!kept.stateful) return `${texts.join('   ')}            -              -`;
  await kept.execute({ code, language, executionId: 'bench' });
  const begun = performance.now();
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run++)
    runs.push(await time(() => kept.execute({ code, language, executionId: 'bench' })));
  const rate = (RUNS * 1_000) / (performance.now() - begun);
  const last = [`${median(runs).toFixed(1)} ms`.padStart(10), rate.toFixed(0).padStart(12)];
  return [...texts, ...last].join('   ');
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
