// Starts the runner of one root agent in one fresh process: node child.js path/to/root.js [--modules]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import type * as adorn from 'adorn';

import { followLoads } from './follow-loads.js';

/** What one start of a runner took. */
export interface Start {
  /** From the call of `createRunner` to its answer, in milliseconds. */
  readonly wallMs: number;
  /** CPU of this process in that time, all threads, in milliseconds. */
  readonly ownCpuMs: number;
  /** CPU of the compiler's process; absent where the system does not tell. */
  readonly compilerCpuMs?: number;
  /** With `--modules`, what this process has loaded: following it slows every import down. */
  readonly modules?: readonly string[];
}

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10;

const [root = '', flag] = process.argv.slice(2);
const loaded = flag === '--modules' ? followLoads() : undefined;
const { Root } = (await importFile(root)) as { Root: adorn.AgentClass<unknown> };
const { createRunner } = (await importFile(createRequire(root).resolve('adorn'))) as typeof adorn;
const cpuBefore = process.cpuUsage();
const compilerBefore = childrenMs();
const before = performance.now();
const runner = await createRunner(Root);
const wallMs = performance.now() - before;
const { user, system } = process.cpuUsage(cpuBefore);
const compilerCpuMs = childrenMs() - compilerBefore;
await runner.close();
const modules = await loaded?.();
const start: Start = {
  wallMs,
  ownCpuMs: (user + system) / 1000,
  ...(Number.isFinite(compilerCpuMs) && { compilerCpuMs }),
  ...(modules && { modules }),
};
process.stdout.write(JSON.stringify(start));

function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href);
}

/** The time of all processes that this one has started and that have ended. */
function childrenMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
