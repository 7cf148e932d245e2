import { ServerBusyError } from '../../errors/errors.js';

/**
 * Why a call needs a connection, by precedence: for a run that has begun, and whatever else is not a beginning; to begin
 * one; to load a session for a run that may begin.
 */
export const LANES = ['running', 'beginning', 'entering'] as const;
export type Lane = (typeof LANES)[number];

export interface ConnectionQueueOptions {
  /** How many connections there are. */
  readonly size: number;
  /** How many calls of the lane `entering` may wait. */
  readonly maxEntering: number;
  /** How long a server may give no answer, in milliseconds. */
  readonly timeout: number;
}

/**
 * Calls that wait for a connection. To wait is free, as long as the server answers: the time of a call counts from its
 * connection.
 */
export class ConnectionQueue {
  private readonly waiting: Readonly<Record<Lane, (() => void)[]>> = {
    running: [],
    beginning: [],
    entering: [],
  };
  private free: number;
  /** When the server last answered. */
  private answeredAt = -Infinity;
  /** Why it did not answer since. */
  private fault: Error | undefined;

  constructor(private readonly options: ConnectionQueueOptions) {
    this.free = options.size;
  }

  /**
   * @throws {ServerBusyError} if too many wait in the lane
   * @throws the error of the server, if it has not answered since the call began to wait
   */
  async acquire(lane: Lane): Promise<void> {
    const askedAt = performance.now();
    if (this.free > 0) this.free--;
    else await this.wait(lane);
    // Those that waited behind a call that had no answer do not each wait for one.
    if (!this.fault || !this.isTooLate(askedAt)) return;
    const { fault } = this;
    this.release();
    throw fault;
  }

  release(): void {
    for (const lane of LANES) {
      const next = this.waiting[lane].shift();
      if (next) {
        next();
        return;
      }
    }
    this.free++;
  }

  /** Notes that the server has answered. */
  noteResponse(): void {
    this.answeredAt = performance.now();
    this.fault = undefined;
  }

  /** Notes that the server has not answered in time, or could not be reached. */
  noteFault(fault: Error): void {
    this.fault = fault;
  }

  private wait(lane: Lane): Promise<void> {
    const { maxEntering } = this.options;
    const { length } = this.waiting.entering;
    if (lane === 'entering' && length >= maxEntering) throw new ServerBusyError(length);
    return new Promise((resolve) => this.waiting[lane].push(resolve));
  }

  private isTooLate(askedAt: number): boolean {
    return performance.now() >= Math.max(askedAt, this.answeredAt) + this.options.timeout;
  }
}
