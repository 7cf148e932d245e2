import type { SessionKey } from '@adorn/core';

/**
 * The address of an accepted invocation. It carries no data: what the invocation is to do is in the inbox. A queue may
 * lose an address or deliver it twice; the inbox decides what is left to do.
 */
export interface InvocationAddress extends SessionKey {
  readonly invocationId: string;
}

export interface PutOptions {
  /** True to queue an address also if it was queued, or delivered, before. Default: false. */
  readonly isAgain?: boolean;
  /** Milliseconds before it is delivered, by a timer of the queue. It holds up nothing else. Default: 0. */
  readonly delay?: number;
}

/** Works on one address. A rejection means that the address is to be delivered again. */
export type InvocationHandler = (address: InvocationAddress) => Promise<void>;

/**
 * Delivers addresses of invocations to workers. Of one session, an address is delivered when the one before it is done.
 * Every implementation passes the contract suite of this package.
 */
export abstract class InvocationQueue {
  /** Connects. Called once, before anything else. */
  abstract open(): Promise<void>;

  /** Queues an address. Does nothing if it was queued before. */
  abstract put(address: InvocationAddress, options?: PutOptions): Promise<void>;

  /**
   * Delivers addresses to a handler, until `close`.
   *
   * @param concurrency the number of addresses that this process works on at a time
   */
  abstract take(handler: InvocationHandler, concurrency: number): Promise<void>;

  /**
   * Delivers nothing more, and waits for the handlers.
   *
   * @param graceMs maximum wait in milliseconds. Addresses whose handlers have not ended by then are delivered again,
   * to a worker elsewhere
   */
  abstract close(graceMs: number): Promise<void>;
}
