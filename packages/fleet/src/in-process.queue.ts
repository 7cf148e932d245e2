import { setTimeout } from 'node:timers/promises';

import { digestOf } from './digest.js';
import {
  type InvocationAddress,
  type InvocationHandler,
  InvocationQueue,
  type PutOptions,
} from './invocation-queue.js';

/** Milliseconds before an address whose handler has failed is delivered again. */
const RETRY_MS = 200;

/** What Node.js can wait, in milliseconds: 24 days. What is due later is found by the sweep of the worker. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A queue in the memory of one process, for development and tests. After a restart, the sweep of the worker fills it again. */
export class InProcessQueue extends InvocationQueue {
  private readonly waiting: InvocationAddress[] = [];
  /** The sessions with a handler under way. */
  private readonly busy = new Set<string>();
  private readonly working = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private handler: InvocationHandler | undefined;
  private concurrency = 0;

  open(): Promise<void> {
    return Promise.resolve();
  }

  put(address: InvocationAddress, { delay = 0 }: PutOptions = {}): Promise<void> {
    if (delay > 0) {
      const { signal } = this.closing;
      void setTimeout(Math.min(delay, LONGEST_TIMER), undefined, { signal, ref: false }).then(
        () => this.put(address),
        noop,
      );
      return Promise.resolve();
    }
    if (!this.waiting.some(({ invocationId }) => invocationId === address.invocationId))
      this.waiting.push(address);
    this.deliver();
    return Promise.resolve();
  }

  take(handler: InvocationHandler, concurrency: number): Promise<void> {
    this.handler = handler;
    this.concurrency = concurrency;
    this.deliver();
    return Promise.resolve();
  }

  async close(graceMs: number): Promise<void> {
    this.closing.abort();
    const limit = new AbortController();
    const grace = setTimeout(graceMs, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.working), grace]);
    limit.abort();
  }

  private deliver(): void {
    while (this.handler && !this.closing.signal.aborted && this.working.size < this.concurrency) {
      const index = this.waiting.findIndex((address) => !this.busy.has(digestOf(address)));
      const [address] = index < 0 ? [] : this.waiting.splice(index, 1);
      if (!address) return;
      this.busy.add(digestOf(address));
      const work = this.workOn(address, this.handler).finally(() => {
        this.working.delete(work);
        this.deliver();
      });
      this.working.add(work);
    }
  }

  private async workOn(address: InvocationAddress, handler: InvocationHandler): Promise<void> {
    try {
      await handler(address);
    } catch {
      // Ahead of the others of its session, after a pause in which others are delivered.
      await setTimeout(RETRY_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
      this.waiting.unshift(address);
    } finally {
      this.busy.delete(digestOf(address));
    }
  }
}

function noop(): void {
  // It is closed: the sweep of the next start finds the address.
}
