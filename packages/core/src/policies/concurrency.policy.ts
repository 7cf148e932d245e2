import type { ConcurrencyOptions, ToolTraits } from '../tools/tool.js';
import { CallQueue } from './call-queue.js';
import { ToolBusyError } from './errors.js';
import { type Policy, type PolicyCall, type PolicyRun, scopeKey } from './policy.js';

export function concurrencyPolicy({ concurrency }: ToolTraits): Policy | undefined {
  if (concurrency === undefined) return undefined;
  return new ConcurrencyPolicy(typeof concurrency === 'number' ? { calls: concurrency } : concurrency);
}

/** The running and the waiting calls of one user, or of the app. */
interface Slots {
  running: number;
  readonly queue: CallQueue;
}

/** Lets a number of calls run at a time. A call that is left behind at its time limit does not count any more. */
class ConcurrencyPolicy implements Policy {
  private readonly options: Required<ConcurrencyOptions>;
  /** Only those with a running call. */
  private readonly slots = new Map<string, Slots>();

  constructor({ calls, scope = 'app', maxQueue = 1_000 }: ConcurrencyOptions) {
    this.options = { calls, scope, maxQueue };
  }

  around(next: PolicyRun): PolicyRun {
    return async (call) => {
      const key = scopeKey(this.options.scope, call.context);
      const slots = this.slotsOf(key);
      await this.enter(slots, call);
      try {
        return await next(call);
      } finally {
        if (!slots.queue.letGo() && --slots.running === 0) this.slots.delete(key);
      }
    };
  }

  private slotsOf(key: string): Slots {
    let slots = this.slots.get(key);
    if (slots === undefined) this.slots.set(key, (slots = { running: 0, queue: new CallQueue() }));
    return slots;
  }

  /**
   * Takes a slot, or waits for that of another call.
   *
   * @throws {ToolBusyError} if the queue is full
   * @throws {InvocationCancelledError}
   */
  private enter(slots: Slots, { tool, cancellation }: PolicyCall): Promise<void> | undefined {
    const { calls, maxQueue } = this.options;
    if (slots.running < calls) {
      slots.running++;
      return undefined;
    }
    if (slots.queue.size >= maxQueue) throw new ToolBusyError(tool.name, this.options);
    return slots.queue.wait(cancellation);
  }
}
