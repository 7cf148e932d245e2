import type { Clock } from '@adorn/core';
import {
  composedKey,
  InvocationCancelledError,
  type PolicyCall,
  type PolicyRun,
  type RateLimit,
  scopeKey,
  type SharedPlaces,
  startTimer,
  type ToolTraits,
} from '@adorn/core/backend';

import { CallQueue } from './concurrency.policy.js';
import { ToolRateLimitedError } from './errors.js';
import type { Policy } from './policy.js';

export function rateLimitPolicy({ rateLimit }: ToolTraits): Policy | undefined {
  return rateLimit && new RateLimitPolicy(rateLimit);
}

/** Maximum number of users whose calls are counted. The least recently active user is dropped for a new one. */
const MOST_SCOPES = 10_000;

/** Limits how many calls start within any window of a given length. A further call waits for its turn, or fails. */
class RateLimitPolicy implements Policy {
  private readonly limit: Required<RateLimit>;
  private readonly windows = new Map<string, RateWindow>();

  constructor({ calls, perMs, scope = 'app', maxWaitMs = 0 }: RateLimit) {
    this.limit = { calls, perMs, scope, maxWaitMs };
  }

  around(next: PolicyRun): PolicyRun {
    return async (call) => {
      const key = scopeKey(this.limit.scope, call.context);
      await (call.places ? this.enterShared(key, call, call.places) : this.windowOf(key).enter(call));
      return next(call);
    };
  }

  /**
   * Counts a call among those of all machines, after its wait.
   *
   * @throws {ToolRateLimitedError} if the wait would exceed the maximum wait
   * @throws {InvocationCancelledError}
   */
  private async enterShared(
    scope: string,
    { tool, cancellation }: PolicyCall,
    places: SharedPlaces,
  ): Promise<void> {
    const { calls, perMs, maxWaitMs } = this.limit;
    const key = composedKey('rate', scope, tool.name, calls, perMs);
    for (let left = maxWaitMs; ;) {
      const wait = await places.take(key, calls, perMs);
      if (wait === 0) return;
      if (wait > left) throw new ToolRateLimitedError(tool.name, this.limit, wait);
      left -= wait;
      if (!(await cancellation.sleep(wait))) throw new InvocationCancelledError();
    }
  }

  private windowOf(key: string): RateWindow {
    const window = this.windows.get(key) ?? new RateWindow(this.limit);
    this.windows.delete(key);
    if (this.windows.size >= MOST_SCOPES) this.windows.delete(this.windows.keys().next().value as string);
    this.windows.set(key, window);
    return window;
  }
}

/** The recent starts of one user or of the app, and the calls that wait for their turn. */
class RateWindow {
  /** In milliseconds since 1970, oldest first; at most `calls`. */
  private starts: number[] = [];
  private readonly queue = new CallQueue();
  private cancelTimer: (() => void) | undefined;

  constructor(private readonly limit: Required<RateLimit>) {}

  /**
   * Counts a call, after its wait.
   *
   * @throws {ToolRateLimitedError} if the wait would exceed the maximum wait
   * @throws {InvocationCancelledError}
   */
  enter({ tool, cancellation }: PolicyCall): Promise<void> | undefined {
    const { clock } = cancellation;
    const now = millisecondsOf(clock);
    this.letGo(clock, now);
    if (this.starts.length < this.limit.calls) {
      this.starts.push(now);
      return undefined;
    }
    const wait = this.nextTurn() - now;
    if (wait > this.limit.maxWaitMs) throw new ToolRateLimitedError(tool.name, this.limit, wait);
    const turn = this.queue.wait(cancellation, () => {
      if (this.queue.size === 0) this.stopTimer();
    });
    this.startTimer(clock, now);
    return turn;
  }

  /** Starts the waiting calls whose turn has come. */
  private letGo(clock: Clock, now: number): void {
    this.forgetStarts(now);
    while (this.starts.length < this.limit.calls && this.queue.letGo()) this.starts.push(now);
    if (this.queue.size > 0) this.startTimer(clock, now);
  }

  /** Drops starts outside the window. If the clock was set back, drops all: they would count for too long. */
  private forgetStarts(now: number): void {
    if ((this.starts.at(-1) ?? now) > now) this.starts = [];
    while ((this.starts[0] ?? Infinity) + this.limit.perMs <= now) this.starts.shift();
  }

  /** When one more call may start: one window after the start that is `calls` before its own. */
  private nextTurn(): number {
    const { calls, perMs } = this.limit;
    const ahead = this.queue.size;
    return (this.starts[ahead % calls] as number) + (1 + Math.floor(ahead / calls)) * perMs;
  }

  /** Sets the timer for the first call in the queue. */
  private startTimer(clock: Clock, now: number): void {
    this.stopTimer();
    const wait = (this.starts[0] as number) + this.limit.perMs - now;
    this.cancelTimer = startTimer(clock, wait, () => {
      this.letGo(clock, millisecondsOf(clock));
    });
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}

function millisecondsOf(clock: Clock): number {
  return Math.round(clock.now() * 1000);
}
