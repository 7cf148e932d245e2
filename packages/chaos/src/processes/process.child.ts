import { once } from 'node:events';
import { writeSync } from 'node:fs';

import { type Death, Life } from './life.js';
import { openProcess, type Place } from './open-process.js';
import { converse, type Rescue, rescue } from './rescue.js';
import { UNDONE } from './trees.js';

/** What the process is for: to die in a conversation, or to take up one at a line of its standard input. */
export type ChildWork = { readonly place: Place; readonly sessionId: string; readonly later: number } & (
  { readonly death: Death } | { readonly rescue: Rescue }
);

/** `process.child.js WORK`: says `ready` before a rescue, and its outcome as JSON after it. */
const work = JSON.parse(process.argv[2] ?? '') as ChildWork;

if ('death' in work) await die(work.place, work.death);
else await takeUp(work.rescue);

async function die(place: Place, death: Death): Promise<void> {
  const { runner, close } = await openProcess(place, { later: work.later, life: new Life(death, kill) });
  await converse(runner, work.sessionId, work.place.tree === UNDONE);
  await close();
}

async function takeUp(plan: Rescue): Promise<void> {
  const { runner, close } = await openProcess(work.place, { later: work.later });
  writeSync(1, 'ready\n');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  const outcome = await rescue(runner, work.sessionId, plan);
  writeSync(1, `${JSON.stringify(outcome)}\n`);
  await close();
}

/** Ends the process as the loss of power would. No statement runs between the signal and the end. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
