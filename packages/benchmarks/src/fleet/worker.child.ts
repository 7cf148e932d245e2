import { createInterface } from 'node:readline';

import { startWorker } from '@adorn/fleet';

import { type BenchPlace, openMachine } from './bench-machine.js';

/** `worker.child.js PLACE`: says `works`; for each line of its standard input, says the CPU and the memory that it took. */
const place = JSON.parse(process.argv[2] ?? '') as BenchPlace;
const worker = await startWorker(await openMachine(place), { concurrency: place.concurrency });
console.log('works');
createInterface(process.stdin).on('line', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 2 ** 20 }));
});
process.once('SIGTERM', () => void worker.stop(2000).then(() => process.exit()));
