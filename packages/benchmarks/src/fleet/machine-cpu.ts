import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** CPU used until now, in milliseconds. */
interface CpuTimes {
  /** Of this process and all that it has started: workers, PostgreSQL, Restate. */
  readonly own: number;
  /** Of all processes of the machine. */
  readonly all: number;
  /** In milliseconds of `performance.now()`. */
  readonly at: number;
}

/** What this process and those that it has started took, and how many cores others left them. */
export interface CpuUse {
  readonly ownMs: number;
  readonly coresLeft: number;
}

/** @returns a function that tells what was used since. Linux; elsewhere, all use is that of others */
export function startCpuMeter(): () => CpuUse {
  const before = readCpuTimes();
  return () => {
    const after = readCpuTimes();
    const ownMs = after.own - before.own;
    const others = (after.all - before.all - ownMs) / (after.at - before.at);
    return { ownMs, coresLeft: cpus().length - Math.max(0, others) };
  };
}

function readCpuTimes(): CpuTimes {
  const all = cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  const processes = new Map(readProcesses().map((each) => [each.pid, each]));
  const isOwn = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return pid === process.pid || (parent !== undefined && isOwn(parent));
  };
  const own = [...processes.values()].filter(({ pid }) => isOwn(pid));
  return { own: own.reduce((sum, { cpuMs }) => sum + cpuMs, 0), all, at: performance.now() };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** With that of its children that have ended. */
  readonly cpuMs: number;
}

/** Milliseconds of a tick of `/proc`, 100 a second on all common builds. */
const TICK_MS = 10;

function readProcesses(): Process[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      // The name of the program, in parentheses, may hold blanks.
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
      const [, parent, ...rest] = fields.split(' ').map(Number);
      const ticks = rest.slice(9, 13).reduce((sum, each) => sum + each, 0);
      return [{ pid: Number(pid), parent: parent ?? 0, cpuMs: ticks * TICK_MS }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
