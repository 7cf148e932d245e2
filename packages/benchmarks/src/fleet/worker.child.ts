import { createInterface } from 'node:readline';

import { startWorker, type Worker } from '@adorn/fleet';

import { type BenchPlace, openMachine, runsBegun } from './bench-machine.js';

/**
 * `worker.child.js PLACE`: says `ready`, and works from the line `begin` of its standard input on. For each further line, it says
 * the CPU that it took since, its memory, and its runs.
 */
const place = JSON.parse(process.argv[2] ?? '') as BenchPlace;
const fleet = await openMachine(place);
console.log('ready');
let begun: { readonly worker: Worker; readonly cpu: NodeJS.CpuUsage } | undefined;
createInterface(process.stdin).on('line', (line) => void hear(line));
process.once('SIGTERM', () => void begun?.worker.stop(2000).then(() => process.exit()));

async function hear(line: string): Promise<void> {
  if (line === 'begin') {
    const cpu = process.cpuUsage();
    begun = { worker: await startWorker(fleet, { concurrency: place.concurrency }), cpu };
    console.log('works');
    return;
  }
  globalThis.gc?.();
  const { user, system } = process.cpuUsage(begun?.cpu);
  const rssMb = process.memoryUsage.rss() / 2 ** 20;
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, rssMb, runs: runsBegun() }));
}
