import { setTimeout as after } from 'node:timers/promises';

/** Changes have settled after this time without a further one, in milliseconds: editors and tsc write several files. */
const SETTLED_MS = 60;

/** The maximum delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** Changes on disk that have not been processed. */
export class Changes {
  private readonly seen = new Map<string, boolean>();
  private isMoving = false;
  private arrived = new AbortController();

  /** Adds an event of the watcher: `add`, `change` or `unlink`, and a path. */
  note(event: string, path: string): void {
    const name = path.replaceAll('\\', '/');
    this.seen.set(name, this.seen.get(name) === true || event !== 'change');
    this.isMoving = true;
    this.arrived.abort();
  }

  /** Waits until there are changes and no more are coming, the limit in milliseconds is over, or the signal aborts. */
  async settled(signal: AbortSignal, limit = NEVER_MS): Promise<void> {
    await pause(limit, AbortSignal.any([signal, this.arrived.signal]));
    while (this.isMoving && !signal.aborted) {
      this.isMoving = false;
      await pause(SETTLED_MS, signal);
    }
  }

  /** Returns the changes so far and forgets them. */
  take(): Change[] {
    const taken = [...this.seen].map(([path, cameOrWent]) => ({ path, cameOrWent }));
    this.seen.clear();
    this.arrived = new AbortController();
    return taken;
  }
}

/** Ends early if the signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await after(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** A file that changed on disk. */
export interface Change {
  /** With `/` on every platform, as TypeScript has it. */
  readonly path: string;
  /** True if the file was created or removed, which may change a project's files. */
  readonly cameOrWent: boolean;
}
