import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import type { WentWay } from './child.js';
import type { WayCounts } from './count-functions.js';

/** One way through core, and what of core ran on it. */
export interface MeasuredWay extends WayCounts {
  readonly name: string;
}

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));

/** Goes the ways of a turn, a call, a pause and an approval, each in a process of its own. */
export async function measureWays(): Promise<MeasuredWay[]> {
  const paused = goWay('pause');
  const [text, call, pause, approve] = await Promise.all([
    goWay('text'),
    goWay('call'),
    paused,
    paused.then((earlier) => goWay('approve', earlier)),
  ]);
  return [
    { name: 'a text turn', ...text.counts },
    { name: 'one function call and its answer', ...call.counts },
    { name: 'a pause by confirmation', ...pause.counts },
    { name: 'an approval in a second process', ...approve.counts },
  ];
}

async function goWay(name: string, earlier?: WentWay): Promise<WentWay> {
  const child = spawn(process.execPath, [CHILD, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(earlier ?? null));
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [output, code] = await Promise.all([text(child.stdout), exit]);
  if (code !== 0) throw new Error(`The way "${name}" ended with ${String(code)}.`);
  return JSON.parse(output) as WentWay;
}
