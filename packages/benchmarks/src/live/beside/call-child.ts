// Holds conversations through one contestant, as many as asked, for as many seconds, and sends its parent what it took.
//   node call-child.js MODULE URL SESSIONS SECONDS
import { setTimeout as sleep } from 'node:timers/promises';

import type { Caller, OpenCaller } from './caller.js';
import { ageOf, stampedFrame } from './stamped-frame.js';

const FRAME_MS = 20;
const USER_FRAME = 640;
const WARM_UP_SECONDS = 2;

/** What holding the conversations took. */
export interface CallReport {
  /** The share of a core, from 0 to 1. */
  readonly share: number;
  /** Milliseconds in which frames of the model have arrived. */
  readonly delays: readonly number[];
  readonly megabytes: number;
}

const [module = '', url = '', sessions, seconds] = process.argv.slice(2);
let delays: number[] = [];
const { open } = (await import(module)) as { readonly open: OpenCaller };
const callers: Caller[] = [];
for (let count = 0; count < Number(sessions); count++)
  callers.push(await open(url, (frame) => delays.push(ageOf(frame))));

await hold(WARM_UP_SECONDS);
await tell('measured from here');
delays = [];
const begun = performance.now();
const cpu = process.cpuUsage();
await hold(Number(seconds));
const { user, system } = process.cpuUsage(cpu);
const share = (user + system) / 1_000 / (performance.now() - begun);
const report: CallReport = { share, delays, megabytes: process.memoryUsage.rss() / 1024 / 1024 };
await tell(report);
for (const caller of callers) await caller.close();
process.exit();

/** Speaks into all conversations. Late or not, whoever waits for a frame gets its turn. */
async function hold(duration: number): Promise<void> {
  const start = performance.now();
  for (let frame = 1; frame <= duration * (1_000 / FRAME_MS); frame++) {
    for (const caller of callers) caller.speak(stampedFrame(USER_FRAME));
    const wait = start + frame * FRAME_MS - performance.now();
    await (wait > 0 ? sleep(wait) : new Promise<void>((resolve) => setImmediate(resolve)));
  }
}

function tell(message: unknown): Promise<void> {
  return new Promise((resolve) =>
    process.send?.(message, () => {
      resolve();
    }),
  );
}
