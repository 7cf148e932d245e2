import { hash, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the lock and its drafts are called. Nothing of that name belongs to the workspace. */
export const LOCK_NAME = '.adorn-lock';

/** How long a writer waits for others, in milliseconds. */
const LONGEST_WAIT = 15_000;

/** A draft of a process that cannot be asked is abandoned after this time, in milliseconds. Far beyond any write. */
const ABANDONED = 60_000;

const HOST = hash('sha256', hostname(), 'hex').slice(0, 12);

/** The draft of a file, in the lock. */
export interface Draft {
  /**
   * Moves the draft to its place, over what is there.
   *
   * @param mode the permissions of the file. Default: those of a new file
   * @throws {LockLostError} if another process has taken the lock
   */
  publish(to: string, mode?: number): Promise<void>;
  /** @throws {LockLostError} if another process has taken the lock */
  requireHeld(): Promise<void>;
}

/** Another process took the lock, because this one seemed to be gone. Nothing was written. */
class LockLostError extends Error {}

/** Others have held the lock all the time. */
export class LockBusyError extends Error {}

/**
 * Runs work while no other process writes to a folder.
 *
 * The lock is a folder that holds one file: the draft of what its owner writes. It is taken by renaming a folder with the draft, which
 * fails while another draft is in it, and freed by renaming the draft to its place, so that writing and freeing are one step. If the
 * owner has died, its draft is deleted: nobody can publish it any more.
 *
 * @param work checks what is there and publishes. It runs again if the lock was lost
 * @throws {LockBusyError}
 */
export async function underLock<Result>(
  root: string,
  data: Uint8Array,
  work: (draft: Draft) => Promise<Result>,
): Promise<Result> {
  const until = Date.now() + LONGEST_WAIT;
  for (;;) {
    const name = await take(root, data, until);
    const draft = join(root, LOCK_NAME, name);
    try {
      return await work(draftAt(draft));
    } catch (error) {
      if (!(error instanceof LockLostError)) throw error;
    } finally {
      await unlink(draft).catch(ignore);
      await rmdir(join(root, LOCK_NAME)).catch(ignore);
    }
  }
}

function draftAt(draft: string): Draft {
  return {
    publish: async (to, mode) => {
      try {
        if (mode !== undefined) await chmod(draft, mode);
        await rename(draft, to);
      } catch (error) {
        throw isMissing(error) && !(await exists(draft)) ? new LockLostError() : error;
      }
    },
    requireHeld: async () => {
      if (!(await exists(draft))) throw new LockLostError();
    },
  };
}

/** Waits for the lock, and takes it. @returns the name of the draft in it */
async function take(root: string, data: Uint8Array, until: number): Promise<string> {
  const name = [process.pid, HOST, randomBytes(8).toString('hex')].join('.');
  const folder = join(root, `${LOCK_NAME}-${name}`);
  const lock = join(root, LOCK_NAME);
  await mkdir(folder);
  try {
    const file = await open(join(folder, name), 'wx');
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    for (let pause = 2; ; pause = Math.min(2 * pause, 50)) {
      if (await renamed(folder, lock)) return name;
      await removeAbandoned(root);
      if (Date.now() > until) throw new LockBusyError();
      await sleep(pause * (0.5 + Math.random()));
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(ignore);
    throw error;
  }
}

/** False while the lock holds a draft. */
async function renamed(folder: string, lock: string): Promise<boolean> {
  try {
    await rename(folder, lock);
    return true;
  } catch (error) {
    const code = codeOf(error);
    // Windows replaces no folder, not even an empty one.
    const isOnWindows = process.platform === 'win32' && ['EPERM', 'EACCES'].includes(code);
    if (isOnWindows) await rmdir(lock).catch(ignore);
    if (isOnWindows || code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** Deletes drafts whose process has died: the one in the lock, and those of processes that died before they had it. */
async function removeAbandoned(root: string): Promise<void> {
  const lock = join(root, LOCK_NAME);
  for (const name of await readdir(lock).catch(() => []))
    if (await isAbandoned(join(lock, name), name)) await unlink(join(lock, name)).catch(ignore);
  for (const entry of await readdir(root)) {
    if (!entry.startsWith(`${LOCK_NAME}-`)) continue;
    const folder = join(root, entry);
    const isGone = await isAbandoned(folder, entry.slice(LOCK_NAME.length + 1));
    if (isGone) await rm(folder, { recursive: true, force: true }).catch(ignore);
  }
}

async function isAbandoned(path: string, name: string): Promise<boolean> {
  const [pid, host] = name.split('.');
  if (host === HOST && !isAlive(Number(pid))) return true;
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs > ABANDONED;
}

/** False only if there is no such process. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The code of an error of Node, such as `ENOENT`; empty without one. */
export function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

function ignore(): void {
  // Whoever comes next removes it.
}
