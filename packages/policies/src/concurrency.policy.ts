import {
  type Cancellable,
  type Cancellation,
  composedKey,
  type ConcurrencyOptions,
  type HeldPlace,
  InvocationCancelledError,
  type PolicyCall,
  type PolicyRun,
  scopeKey,
  type ToolTraits,
} from '@adorn/core/backend';

import { ToolBusyError } from './errors.js';
import type { Policy } from './policy.js';

/** The concurrency limit of a tool; undefined if it sets none. */
export function concurrencyPolicy({ concurrency }: ToolTraits): Policy | undefined {
  if (concurrency === undefined) return undefined;
  return new ConcurrencyPolicy(typeof concurrency === 'number' ? { calls: concurrency } : concurrency);
}

/** Milliseconds after which a call looks again for a place that another machine may have released. */
const LOOK_AGAIN_MS = 100;

/** The running and the waiting calls of one user, or of the app. */
interface Slots {
  running: number;
  readonly queue: CallQueue;
}

/** Limits how many calls run at a time. A call that was abandoned at its time limit does not count any more. */
class ConcurrencyPolicy implements Policy {
  private readonly options: Required<ConcurrencyOptions>;
  /** By scope key. Only users, or the app, with a running call. */
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
        const place = await this.hold(key, call);
        try {
          return await next(call);
        } finally {
          await place?.release();
        }
      } finally {
        if (!slots.queue.letGo() && --slots.running === 0) this.slots.delete(key);
      }
    };
  }

  private slotsOf(key: string): Slots {
    let slots = this.slots.get(key);
    if (!slots) this.slots.set(key, (slots = { running: 0, queue: new CallQueue() }));
    return slots;
  }

  /**
   * Takes a slot, or waits until another call releases one.
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

  /**
   * Has the calls of this runner that have a slot wait for a place among those of all machines.
   *
   * @throws {InvocationCancelledError}
   */
  private async hold(
    scope: string,
    { tool, cancellation, places }: PolicyCall,
  ): Promise<HeldPlace | undefined> {
    if (!places) return undefined;
    const { calls } = this.options;
    const key = composedKey('concurrency', scope, tool.name, calls);
    for (;;) {
      const place = await places.hold(key, calls);
      if (place) return place;
      if (!(await cancellation.sleep(LOOK_AGAIN_MS))) throw new InvocationCancelledError();
    }
  }
}

/** A queue of waiting calls, first in, first out. */
export class CallQueue {
  private readonly waiting = new Set<WaitingCall>();

  get size(): number {
    return this.waiting.size;
  }

  /**
   * Waits until the call is released.
   *
   * @param left called if it is cancelled first
   * @throws {InvocationCancelledError}
   */
  wait(cancellation: Cancellation, left: () => void = noop): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = new WaitingCall(cancellation, resolve, (error) => {
        this.waiting.delete(call);
        left();
        reject(error);
      });
      this.waiting.add(call);
      cancellation.add(call);
    });
  }

  /** Releases the first call; false if the queue is empty. */
  letGo(): boolean {
    const [first] = this.waiting;
    if (!first) return false;
    this.waiting.delete(first);
    first.proceed();
    return true;
  }
}

/** Leaves the queue as soon as it is cancelled, so that it is never released afterwards. */
class WaitingCall implements Cancellable {
  constructor(
    private readonly cancellation: Cancellation,
    private readonly resolve: () => void,
    private readonly leave: (error: Error) => void,
  ) {}

  proceed(): void {
    this.cancellation.remove(this);
    this.resolve();
  }

  cancelled(): void {
    this.leave(new InvocationCancelledError());
  }
}

function noop(): void {
  // Nothing has to be updated.
}
