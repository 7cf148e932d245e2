import { setTimeout as after } from 'node:timers/promises';

/** Who saves several files, or tsc that emits them, is done when nothing has happened for so long. */
const SETTLED_MS = 60;

/** The longest that a timer can be set to. */
const NEVER_MS = 2 ** 31 - 1;

/** The changes on disk that nobody has looked at yet. */
export class Changes {
  private readonly seen = new Map<string, boolean>();
  private isMoving = false;
  private arrived = new AbortController();

  /** What the watcher tells: `add`, `change` or `unlink`, and a path. */
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

  /** The changes so far; whoever takes them looks at them. */
  take(): Change[] {
    const taken = [...this.seen].map(([path, cameOrWent]) => ({ path, cameOrWent }));
    this.seen.clear();
    this.arrived = new AbortController();
    return taken;
  }
}

/** Ends early where the signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await after(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** A file that changed on disk. */
export interface Change {
  /** With `/` on every platform, as TypeScript has it. */
  readonly path: string;
  /** Whether the file came or went, so that a project may have others than before. */
  readonly cameOrWent: boolean;
}
