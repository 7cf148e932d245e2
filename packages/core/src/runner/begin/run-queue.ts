import type { SessionKey } from '../../events/session.js';
import { Cancellation } from '../../run/cancellation.js';
import { composedKey } from '@adorn/schema';
import type { Clock } from '../../runtime/clock.js';
import { Condition } from '../../runtime/condition.js';
import { InvocationActiveError } from '../errors.js';

/** An exclusive use of a session: a run or a rewind. */
export interface SessionUse {
  readonly invocationId: string;
  readonly cancellation: Cancellation;
  /** Called when others wait for the session: the run continues without waiting for its reader. */
  detach(): void;
}

/** The options with which a run enters the queue of its session. */
export interface QueueOptions {
  /** Waits for the active run of the session, or throws. */
  readonly whileActive: 'queue' | 'refuse';
  /** The caller's signal. The signal of a tool identifies the active run, which must not wait for itself. */
  readonly signal?: AbortSignal | undefined;
  /** Displaces the active run, and goes before all that wait, but for others that do the same. Default: false. */
  readonly isInstead?: boolean;
  /** What happens to the run, if it is active, when another comes in its place. Default: it is cancelled. */
  readonly displace?: () => void;
}

/**
 * The runs of one runner. In each session one run is active at a time; the others wait, first come, first served.
 */
export class RunQueue {
  private readonly entries = new Map<string, Entry>();
  /** The runs of each session by address, the active one first. */
  private readonly lines = new Map<string, [Entry, ...Entry[]]>();
  private readonly left = new Condition();
  /** Writes that runs have left behind. */
  private readonly awaited = new Set<Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Registers a run under its id, until `leave`.
   *
   * @returns true when the run is active; false if it was cancelled while it waited, and has left the queue
   * @throws {InvocationActiveError} if the id is in use, the run may not wait, or the run would wait for itself
   */
  async enter(
    use: SessionUse,
    key: SessionKey,
    { whileActive, signal, isInstead = false, displace }: QueueOptions,
  ): Promise<boolean> {
    const { invocationId, cancellation } = use;
    if (this.entries.has(invocationId)) throw new InvocationActiveError(invocationId);
    const cancel = (): void => {
      cancellation.cancel();
    };
    const entry: Entry = {
      use,
      address: addressOf(key),
      isInstead,
      displace: displace ?? cancel,
      begin: noop,
    };
    const line = this.lines.get(entry.address);
    if (!line) {
      this.lines.set(entry.address, [entry]);
      this.entries.set(invocationId, entry);
      return true;
    }
    const [{ use: active, displace: displaceActive }] = line;
    if (whileActive === 'refuse') throw InvocationActiveError.inSession(active.invocationId);
    if (active.cancellation.owns(signal)) throw InvocationActiveError.ofItself(active.invocationId);
    this.entries.set(invocationId, entry);
    const place = isInstead
      ? line.findLastIndex((one, index) => index === 0 || one.isInstead) + 1
      : line.length;
    line.splice(place, 0, entry);
    active.detach();
    if (isInstead) displaceActive();
    return this.untilActive(entry);
  }

  /**
   * Gives the place of the active run to another run that waits for the session. The one that was active is the next one.
   *
   * @returns as `enter`; true at once if the other run does not wait
   */
  async letBefore({ invocationId }: SessionUse, other: string): Promise<boolean> {
    const entry = this.entries.get(invocationId);
    const first = this.entries.get(other);
    const line = entry && this.lines.get(entry.address);
    if (!line || !first || line[0] !== entry || !line.includes(first, 1)) return true;
    line.splice(line.indexOf(first), 1);
    line.unshift(first);
    const waiting = this.untilActive(entry);
    first.use.detach();
    first.begin();
    return waiting;
  }

  private async untilActive(entry: Entry): Promise<boolean> {
    const { use } = entry;
    try {
      await use.cancellation.wait(new Promise<void>((resolve) => (entry.begin = resolve)));
      return true;
    } catch {
      this.leave(use);
      return false;
    }
  }

  /** Removes a run and starts the next one of its session. */
  leave(use: SessionUse): void {
    const entry = this.entries.get(use.invocationId);
    if (entry?.use !== use) return;
    this.entries.delete(use.invocationId);
    const line = this.lines.get(entry.address);
    if (!line || line.length === 1) this.lines.delete(entry.address);
    else {
      line.splice(line.indexOf(entry), 1);
      if (line.length > 1) line[0].use.detach();
      line[0].begin();
    }
    this.left.notify();
  }

  /** Lets `written` and `cancelAll` wait for a write of a run that has left. */
  await(write: Promise<void>): void {
    this.awaited.add(write);
    void write.then(() => this.awaited.delete(write));
  }

  /** Waits until the ends of the runs that have left are recorded. */
  async written(): Promise<void> {
    await Promise.all(this.awaited);
  }

  has(invocationId: string): boolean {
    return this.entries.has(invocationId);
  }

  /** True if a run is active in the session. */
  isBusy(key: SessionKey): boolean {
    return this.lines.has(addressOf(key));
  }

  /**
   * Cancels a run, active or waiting. False if there is no run of that id.
   *
   * @param key only a run of this session. Default: of any
   */
  cancel(invocationId: string, key?: SessionKey): boolean {
    const entry = this.entries.get(invocationId);
    if (!entry || (key && entry.address !== addressOf(key))) return false;
    entry.use.cancellation.cancel();
    return true;
  }

  /**
   * Cancels every run and waits until all have left, without waiting for their readers.
   *
   * @param limitMs maximum wait in milliseconds
   * @returns the ids of the runs that had not ended by then
   */
  async cancelAll(limitMs: number): Promise<string[]> {
    for (const { use } of [...this.entries.values()]) {
      use.cancellation.cancel();
      use.detach();
    }
    await new Cancellation(this.clock).wait(this.untilIdle(), { limit: limitMs }).catch(noop);
    return [...this.entries.keys()];
  }

  private async untilIdle(): Promise<void> {
    await this.left.until(() => this.entries.size === 0);
    await this.written();
  }
}

/** A run in the queue of its session. */
interface Entry {
  readonly use: SessionUse;
  readonly address: string;
  readonly isInstead: boolean;
  /** Called while it is active, when a run comes in its place. */
  readonly displace: () => void;
  /** Lets it begin, if it waits. */
  begin: () => void;
}

function noop(): void {
  // A run in a free session does not wait, and the limit of a wait for all is no error.
}

function addressOf({ userId, sessionId }: SessionKey): string {
  return composedKey(userId, sessionId);
}
