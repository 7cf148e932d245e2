import {
  type ChildProcess,
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  spawn,
  type SpawnOptions,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { Boundary } from './boundary.js';

/** How a process is started, besides the options of Node.js. */
export interface GroupOptions extends Omit<SpawnOptions, 'detached' | 'shell' | 'signal' | 'timeout'> {
  /** The function that starts it. Default: that of `node:child_process`. */
  readonly spawn?: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  /** True for a process that is to go on when this one is gone. Default: false. */
  readonly outlivesOwner?: boolean;
}

/** Options for a process whose three streams are pipes. */
export type PipedGroupOptions = GroupOptions & { readonly stdio?: 'pipe' };

/** Options for a process that is only listened to. */
export type HeardGroupOptions = GroupOptions & { readonly stdio: readonly ['ignore', 'pipe', 'pipe'] };

/** A process with all processes that it starts. */
export interface ProcessGroup<Child extends ChildProcess = ChildProcess> {
  /** The process that was started. Its standard error and output are destroyed when the group has ended. */
  readonly child: Child;
  /** Sends a signal to all processes of the group, if there are any. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /**
   * Ends all processes of the group, by SIGTERM and after the grace by SIGKILL, and closes the pipes to them. Never rejects.
   *
   * @param grace milliseconds. Default: 2,000
   */
  readonly end: (grace?: number) => Promise<void>;
}

const GRACE_MS = 2_000;
/** How often a group is looked at that has been told to end. */
const LOOK_MS = 20;
/** How long a process may take to be gone after SIGKILL. */
const GONE_MS = 1_000;

/** Whether a signal can be sent to a process and its children at once. Windows has no such groups: the child alone is ended. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Starts a process, without a shell, as a group of its own, so that the processes that it starts end with it: a signal to
 * `npx` does not reach the server that it has started. The group ends by `end`, after the process has ended and closed its
 * pipes, and when this process is gone, in whatever way: exit, an uncaught error, a signal, SIGKILL. Ctrl-C at a terminal
 * reaches this process only.
 *
 * @returns at once; a process that cannot be started tells it by the event `error` of `child`
 * @example
 * const group = startGroup('npx', ['-y', 'some-server'], { stdio: 'pipe' });
 * await group.end();
 */
export function startGroup(
  command: string,
  args: readonly string[],
  options?: PipedGroupOptions,
): ProcessGroup<ChildProcessWithoutNullStreams>;
/** Starts a process that is only listened to, as a group of its own: see the first form. */
export function startGroup(
  command: string,
  args: readonly string[],
  options: HeardGroupOptions,
): ProcessGroup<ChildProcessByStdio<null, Readable, Readable>>;
/** Starts a process with streams of any kind, as a group of its own: see the first form. */
export function startGroup(command: string, args: readonly string[], options: GroupOptions): ProcessGroup;
export function startGroup(
  command: string,
  args: readonly string[],
  { spawn: start = spawn, outlivesOwner = false, ...options }: GroupOptions = {},
): ProcessGroup {
  const child = start(command, args, { windowsHide: true, ...options, detached: HAS_GROUPS });
  const { pid } = child;
  const signal = (name: NodeJS.Signals): void => {
    sendTo(child, name);
  };
  let ending: Promise<void> | undefined;
  const end = (grace = GRACE_MS): Promise<void> => (ending ??= endGroup(child, grace, true));
  if (pid !== undefined && !outlivesOwner) watch(child);
  // What the process has left behind when it ended by itself. Nobody waits for that, nor does this process.
  child.once(
    'close',
    new Boundary(ignore).guard(() => (ending ??= endGroup(child, GRACE_MS, false))),
  );
  return { child, signal, end };
}

async function endGroup(child: ChildProcess, grace: number, ref: boolean): Promise<void> {
  if (child.pid !== undefined) {
    sendTo(child, 'SIGTERM');
    if (!(await isGone(() => hasMembers(child), grace, ref))) {
      sendTo(child, 'SIGKILL');
      await isGone(() => isRunning(child), GONE_MS, ref);
    }
    unwatch(child);
  }
  // A process that has left the group may still hold the other ends, and would keep this process alive.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

/** Waits until something is not there any more: no event tells the end of the last process of a group. */
async function isGone(isThere: () => boolean, within: number, ref: boolean): Promise<boolean> {
  const until = performance.now() + within;
  while (isThere()) {
    if (performance.now() >= until) return false;
    await delay(LOOK_MS, undefined, { ref });
  }
  return true;
}

function hasMembers(child: ChildProcess): boolean {
  return HAS_GROUPS ? sendTo(child, 0) : isRunning(child);
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** @returns false if there is no process to send it to */
function sendTo(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (!HAS_GROUPS) return child.kill(signal);
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // Processes of another user are there, and cannot be reached.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The processes whose groups end with this process. */
const watched = new Set<ChildProcess>();
let watcher: ChildProcess | undefined;

/**
 * Reads which groups there are, and ends those that are left when its input ends: when this process is gone. A process that is
 * killed runs no code of its own.
 */
const WATCHER = `
groups=
while read -r verb group; do
  kept=
  for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
  [ "$verb" = + ] && kept="$kept $group"
  groups=$kept
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -s TERM -- "-$one"; done
sleep ${String(GRACE_MS / 1_000)}
for one in $groups; do kill -s KILL -- "-$one"; done
`;

function watch(child: ChildProcess): void {
  if (watched.size === 0) process.once('exit', exiting);
  watched.add(child);
  if (watcher !== undefined) tellWatcher('+', child);
  else if (HAS_GROUPS) {
    watcher = startWatcher();
    for (const one of watched) tellWatcher('+', one);
  }
}

function unwatch(child: ChildProcess): void {
  watched.delete(child);
  tellWatcher('-', child);
  if (watched.size > 0) return;
  process.removeListener('exit', exiting);
  watcher?.stdin?.end();
  watcher = undefined;
}

/** Where no watcher follows with SIGKILL, this is the only chance. */
function endWatched(): void {
  for (const child of watched) sendTo(child, watcher === undefined ? 'SIGKILL' : 'SIGTERM');
}

const exiting = new Boundary(ignore).guard(endWatched);

function tellWatcher(verb: '+' | '-', { pid }: ChildProcess): void {
  watcher?.stdin?.write(`${verb} ${String(pid)}\n`);
}

function startWatcher(): ChildProcess {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const started = spawn('/bin/sh', ['-c', WATCHER], {
    ...{ cwd: '/', env, detached: true },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const lost = new Boundary(ignore).guard(() => {
    if (watcher === started) watcher = undefined;
  });
  started.on('error', lost).on('exit', lost);
  started.stdin.on('error', lost);
  started.unref();
  (started.stdin as Writable & { unref?(): void }).unref?.();
  return started;
}

function ignore(): void {
  // Nothing is left to end.
}
