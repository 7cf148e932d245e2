/** @slow */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { buildSync } from 'esbuild';

import { startGroup } from './process-group.js';

/** What a process does that its owner has started; it says its id once it stands. */
const STAY = `console.log(process.pid); setInterval(() => {}, 1000);`;
const KINDS = {
  'ends when it is asked to': STAY,
  'does not hear SIGTERM': `process.on('SIGTERM', () => {}); ${STAY}`,
};
/** Where it stands: started itself, or by a shell that waits for it, as npx does. */
const PLACES = {
  alone: [process.execPath, ['-e', '$PROGRAM']],
  'behind two shells': [
    'sh',
    ['-c', `sh -c '"$0" -e "$1"; true' "$0" "$1"; true`, process.execPath, '$PROGRAM'],
  ],
} as const;
/** How the owner of the group ends, and with which code or signal. */
const WAYS = {
  'ends the group and has nothing else to do': ['await group.end();', 0],
  'ends the group and exits': ['await group.end(); process.exit(0);', 0],
  exits: ['process.exit(0);', 0],
  'fails with an uncaught error': [
    'process.on("exit", () => {}); setTimeout(() => { throw new Error("boom"); });',
    1,
  ],
  'is ended by SIGTERM': ['process.kill(process.pid, "SIGTERM");', 'SIGTERM'],
  'is ended by SIGINT': ['process.kill(process.pid, "SIGINT");', 'SIGINT'],
  'is ended by SIGKILL': ['process.kill(process.pid, "SIGKILL");', 'SIGKILL'],
} as const;

const MATRIX = Object.keys(KINDS).flatMap((kind) =>
  Object.keys(PLACES).flatMap((place) => Object.keys(WAYS).map((way) => [kind, place, way] as const)),
) as [keyof typeof KINDS, keyof typeof PLACES, keyof typeof WAYS][];

describe('a process group', () => {
  // Each waits for most of its time, and no owner knows of another one.
  it.concurrent.each(MATRIX)(
    'leaves no process that %s, %s, when its owner %s, and its owner ends too',
    async (kind, place, way) => {
      const [command, args] = PLACES[place];
      const program = args.map((argument) => (argument === '$PROGRAM' ? KINDS[kind] : argument));
      const [end, expected] = WAYS[way];
      const owner = startOwner(`
        const group = startGroup(${JSON.stringify(command)}, ${JSON.stringify(program)}, { stdio: 'pipe' });
        const [said] = await once(group.child.stdout, 'data');
        process.stdout.write(said, async () => { ${end} });`);

      const [said, [code, signal]] = await Promise.all([text(owner.stdout), once(owner, 'exit')]);

      expect(signal ?? code).toBe(expected);
      await ended(readPid(said));
    },
  );

  it('is left to go on where it is to outlive its owner', async () => {
    const owner = startOwner(`
      const options = { stdio: ['ignore', 'pipe', 'pipe'], outlivesOwner: true };
      const group = startGroup(process.execPath, ['-e', ${JSON.stringify(STAY)}], options);
      const [said] = await once(group.child.stdout, 'data');
      process.stdout.write(said, () => process.exit(0));`);

    const pid = readPid(await text(owner.stdout));

    await delay(100);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  it('ends what its process has left behind when that has ended by itself', async () => {
    // The process that stays holds none of the pipes.
    const program = `"$0" -e "$1" >/dev/null 2>&1 </dev/null & echo $!`;
    const { child } = startGroup('sh', ['-c', program, process.execPath, STAY], { stdio: 'pipe' });

    const pid = readPid(await text(child.stdout));

    await ended(pid);
  });

  it('closes its pipes although a process that has left the group holds their other ends', async () => {
    const leave = `const { spawn } = require('node:child_process');
      console.log(spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'inherit' }).pid);`;
    const { child, end } = startGroup(process.execPath, ['-e', leave], { stdio: 'pipe' });
    const [pid] = (await once(child.stdout, 'data')) as [Buffer];

    await end();

    await once(child, 'close');
    process.kill(readPid(String(pid)), 'SIGKILL');
    expect([child.stdin.destroyed, child.stdout.destroyed, child.stderr.destroyed]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('tells by an event of its process that it could not be started', async () => {
    const { child, end } = startGroup('no-such-program-at-all', [], { stdio: 'pipe' });

    await expect(once(child, 'spawn')).rejects.toThrow('ENOENT');
    await expect(end()).resolves.toBeUndefined();
  });
});

/** The module by itself: an owner that loaded the whole package would spend most of its time on that. */
const FOLDER = mkdtempSync(join(tmpdir(), 'adorn-group-'));
const MODULE = join(FOLDER, 'process-group.mjs');
buildSync({
  entryPoints: ['packages/core/src/runtime/process-group.ts'],
  outfile: MODULE,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

/** A process that runs a program with the group of this package. */
function startOwner(program: string): ChildProcessWithoutNullStreams {
  const head = `const { startGroup } = await import('${pathToFileURL(MODULE).href}'); const { once } = await import('node:events');`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', head + program]);
  owner.stderr.resume();
  return owner;
}

/** A signal to process 0 would reach this process and the runner of the tests. */
function readPid(said: string): number {
  if (!/^[1-9]\d*\s*$/.test(said)) throw new Error(`There is no process id in ${JSON.stringify(said)}.`);
  return Number(said);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One that has ended and whose parent has not noticed yet does not run.
  const stat = `/proc/${String(pid)}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

/** Resolves once a process has ended. */
async function ended(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  while (isRunning(pid)) await delay(10);
}
