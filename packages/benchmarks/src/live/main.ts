// `npm run bench -- --live`: what a live session adds to each frame of speech, how many sessions a core holds, and memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { formatTable } from '../overhead/report/format.js';
import { sideBySide } from './beside/side-by-side.js';
import { Call, openRunner } from './call.js';
import { quantilesOf } from './quantiles.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const FRAME_MS = 20;
const FRAMES_A_SECOND = 1000 / FRAME_MS;
const STORE_MS = 200;
const SECONDS = 10;
const SESSIONS = 200;
const HOUR = 3_600;

/** Frames of a number of calls, at the pace of speech. @returns the share of a core that it took, from 0 to 1 */
async function hold(calls: readonly Call[], seconds: number): Promise<number> {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  for (let frame = 0; frame < seconds * FRAMES_A_SECOND; frame++) {
    for (const call of calls) {
      call.speak();
      if (frame % 10 === 0) call.say('word ', frame % 100 === 0);
    }
    const wait = begun + (frame + 1) * FRAME_MS - performance.now();
    // Late or not, whoever waits for a frame gets its turn.
    await (wait > 0 ? sleep(wait) : new Promise<void>((resolve) => setImmediate(resolve)));
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000 / (performance.now() - begun);
}

async function measure(tools: number, storeMs: number): Promise<string[]> {
  await using runner = await openRunner(storeMs);
  const call = new Call(runner, 'call');
  await call.begin(tools);
  await hold([call], 2);
  call.delays.length = 0;
  await hold([call], SECONDS);
  const row = [`${String(tools)} tools, store ${String(storeMs)} ms`, ...quantilesOf(call.delays)];
  await call.end();
  return row;
}

async function measureMany(): Promise<string[]> {
  await using runner = await openRunner(0);
  const calls = Array.from({ length: SESSIONS }, (_, index) => new Call(runner, `call-${String(index)}`));
  await Promise.all(calls.map((call) => call.begin(0)));
  await hold(calls, 2);
  for (const { delays } of calls) delays.length = 0;
  const share = await hold(calls, SECONDS);
  const row = [`${String(SESSIONS)} sessions`, ...quantilesOf(calls.flatMap(({ delays }) => delays))];
  await Promise.all(calls.map((call) => call.end()));
  return [...row, `${(share * 100).toFixed(0)} % of a core`];
}

/** Megabytes of the heap after each tenth of an hour of conversation, which is played as fast as it goes. */
async function measureMemory(): Promise<number[]> {
  await using runner = await openRunner(0);
  const call = new Call(runner, 'hour');
  await call.begin(1);
  const used: number[] = [];
  for (let second = 1; second <= HOUR; second++) {
    for (let frame = 0; frame < FRAMES_A_SECOND; frame++) call.speak();
    call.say('A few words a second. ', second % 5 === 0);
    await new Promise<void>((resolve) => setImmediate(resolve));
    call.delays.length = 0;
    if (second % (HOUR / 10) === 0) {
      collectGarbage();
      used.push(process.memoryUsage().heapUsed / 1024 / 1024);
    }
  }
  await call.end();
  return used;
}

console.log(
  `Frames of ${String(FRAME_MS)} ms in both directions at once, ${String(SECONDS)} s; words and turns are stored meanwhile.\n`,
);
const rows: string[][] = [];
for (const tools of [0, 1, 50]) rows.push(await measure(tools, 0), await measure(tools, STORE_MS));
rows.push(await measureMany());
console.log(
  formatTable(
    ['', 'frames', 'p50 ms', 'p99 ms', 'max ms', ''],
    rows.map((row) => [...row, ''].slice(0, 6)),
  ),
);
const memory = await measureMemory();
console.log(
  `\nHeap after each tenth of a simulated hour, MB: ${memory.map((used) => used.toFixed(1)).join(' ')}`,
);
console.log(
  `\nThe same frames from and to a server in a process of its own, by WebSocket and as JSON. heard and sent: frames from its hands to the application's, and back.\n\n${await sideBySide()}`,
);
