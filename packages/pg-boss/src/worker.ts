import { AdornError, type Run } from '@adorn/core';

import type { Fleet, Submission } from './fleet.js';
import type { InboxEntry } from './inbox.js';
import type { InvocationAddress } from './invocation-queue.js';
import { digestOf } from './signals.js';

export interface WorkerOptions {
  /** The number of invocations that run at a time. Default: 10. */
  readonly concurrency?: number;
  /** The number of attempts after which an invocation is parked. Default: 5. */
  readonly maxAttempts?: number;
  /** Milliseconds between two looks for accepted invocations that the queue has lost. Default: 30,000. */
  readonly sweepInterval?: number;
}

/** A process, or a part of one, that runs accepted invocations. */
export interface Worker extends AsyncDisposable {
  /**
   * Takes no more invocations and waits for those under way. What has not ended within the grace is run on by another
   * worker; end the process then. Closes the fleet, too.
   *
   * @param graceMs default: 10,000
   */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;

/**
 * Runs the invocations that any machine has accepted. Connect it to the signal of your platform:
 *
 * ```ts
 * const worker = await startWorker(fleet);
 * process.once('SIGTERM', () => void worker.stop().then(() => process.exit()));
 * ```
 */
export async function startWorker(fleet: Fleet, options: WorkerOptions = {}): Promise<Worker> {
  const { concurrency = 10, sweepInterval = 30_000, maxAttempts = 5 } = options;
  const shift = new Shift(fleet, maxAttempts);
  await fleet.queue.take((address) => shift.work(address), concurrency);
  await sweep(fleet, 0);
  const timer = setInterval(() => void sweep(fleet, sweepInterval).catch(noop), sweepInterval);
  const stop = async (graceMs = GRACE_MS): Promise<void> => {
    clearInterval(timer);
    shift.stop();
    await fleet.close(graceMs);
  };
  return { stop, [Symbol.asyncDispose]: () => stop() };
}

/** Queues what was accepted and is not queued: the queue was down, or has lost it. */
async function sweep({ inbox, queue, runner }: Fleet, olderThanMs: number): Promise<void> {
  for (const entry of await inbox.waiting(runner.appName, Date.now() - olderThanMs)) await queue.put(entry);
}

function noop(): void {
  // The next sweep looks again.
}

class Shift {
  private readonly stopping = new AbortController();

  constructor(
    private readonly fleet: Fleet,
    private readonly maxAttempts: number,
  ) {}

  stop(): void {
    this.stopping.abort();
  }

  /**
   * Runs the invocations of a session in their order, until there is none. An address that was delivered twice, or whose
   * invocation has ended, finds nothing to do.
   */
  async work(address: InvocationAddress): Promise<void> {
    const { inbox, signals } = this.fleet;
    const unlock = await signals.lock(digestOf(address));
    try {
      for (;;) {
        const entry = await inbox.first(address);
        if (entry === undefined || entry.isParked) return;
        if (this.stopping.signal.aborted) throw new Error('The worker stops.');
        await this.attempt(entry);
      }
    } finally {
      await unlock();
    }
  }

  private async attempt(entry: InboxEntry): Promise<void> {
    const { inbox } = this.fleet;
    // A process that died in each attempt has left no error behind.
    if (entry.attempts >= this.maxAttempts)
      return inbox.fail(entry, entry.error ?? 'Its worker died in each attempt.', true);
    await inbox.begin(entry);
    try {
      await this.run(entry);
    } catch (error) {
      const isLast = entry.attempts + 1 >= this.maxAttempts;
      await inbox.fail(entry, error instanceof Error ? error.message : String(error), isLast);
      if (!isLast) throw error;
      return;
    } finally {
      await this.fleet.announce(entry);
    }
    await inbox.remove(entry);
    await this.fleet.announce(entry);
  }

  /** Begins an invocation, or continues the one that a dead worker has left. */
  private async run(entry: InboxEntry): Promise<void> {
    const { runner, signals } = this.fleet;
    const { appName, userId, sessionId, invocationId, isCancelled } = entry;
    const key = { appName, userId, sessionId };
    const session = await runner.sessions.getSession(key);
    const { lastRun } = session ?? {};
    const isOpen = lastRun?.id === invocationId && lastRun.status === 'open';
    const hasBegun = session?.events.some((event) => event.invocationId === invocationId) === true;
    if (!isOpen && (hasBegun || isCancelled)) return;
    const cancelling = new AbortController();
    if (isCancelled) cancelling.abort();
    const unlisten = signals.listen((topic) => {
      if (topic === `cancel:${invocationId}`) cancelling.abort();
    });
    const { signal } = cancelling;
    try {
      const again = { ...key, invocationId, signal, config: { takeOverAfter: 0 } };
      const run = isOpen ? runner.resume(again) : this.begin(entry, signal);
      for await (const event of run) if (!event.partial) void this.fleet.announce(entry);
    } catch (error) {
      // Only the end of the run was not recorded.
      if (!(isOpen && AdornError.is(error) && error.code === 'NOTHING_TO_RESUME')) throw error;
    } finally {
      unlisten();
    }
  }

  private begin({ body, ...entry }: InboxEntry, signal: AbortSignal): Run<unknown> {
    const { runner } = this.fleet;
    const { userId, sessionId, invocationId } = entry;
    const task = JSON.parse(body) as Submission;
    const options = { invocationId, signal };
    if ('approve' in task) return runner.approve(task.approve, { ...options, payload: task.payload });
    if ('reject' in task) return runner.reject(task.reject, { ...options, reason: task.reason });
    return runner.run({ ...options, userId, sessionId, message: task.message, stateDelta: task.stateDelta });
  }
}
