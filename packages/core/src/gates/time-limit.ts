import {
  type Cancellable,
  type Cancellation,
  InvocationCancelledError,
  type WaitOptions,
} from '../run/cancellation.js';
import { startTimer } from '../runtime/clock.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { Tool } from '../tools/tool.js';
import { isLongRunning, schedulingOf } from '../tools/tool-traits.js';
import { ToolTimeoutError } from '../tools/policies/errors.js';
import type { ReaderWait } from './reader-wait.js';

/**
 * The time limit of the tool's calls, in milliseconds. A tool that listens does so as long as somebody speaks.
 *
 * @param toolTimeout the limit of tools that state none
 */
export function timeLimitOf({ traits, takesLiveInput }: Tool, toolTimeout: number): number {
  const isSlow = isLongRunning(traits) || schedulingOf(traits) !== undefined || takesLiveInput;
  return traits.timeout ?? (isSlow ? Infinity : toolTimeout);
}

/** A running call and what watches it. */
export interface Watched {
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly cancellation: Cancellation;
  /** Of a tool that listens: cancelled when it hears nothing more, and is to end. */
  readonly hearing?: Cancellation | undefined;
  /** The time limit of tools that state none, in milliseconds. */
  readonly toolTimeout: number;
  /** Set once the call emits events; the time limit does not count these waits. */
  readonly readerWait?: ReaderWait | undefined;
  /** Called when an abandoned call ends, with its error if it failed. */
  endedLate(failure?: { readonly error: unknown }): void;
}

/**
 * Waits for a running call until its time limit or the cancellation of the invocation, then aborts it. A call that does
 * not stop is abandoned.
 *
 * @throws {ToolTimeoutError | InvocationCancelledError}
 */
export function withinTime<Result>(running: PromiseLike<Result>, watched: Watched): Promise<Result> {
  return new Promise((resolve, reject) => {
    const watch = new Watch(watched, reject);
    running.then(
      (result) => {
        if (watch.endsInTime()) resolve(result);
      },
      (error: unknown) => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a tool may throw anything
        if (watch.endsInTime({ error })) reject(error);
      },
    );
  });
}

/**
 * How long a call may take that is to end, and ends by itself, in milliseconds: that of a tool that runs an agent, which answers
 * its own calls first, and of a tool that listens, whose input has ended.
 */
export const CALL_GRACE_MS = 250;

/** Default time limit of each check before a run, in milliseconds. */
const DEFAULT_CHECK_MS = 30_000;

/** A check of a call, with its limits. */
interface WatchedCheck {
  readonly tool: Tool;
  readonly cancellation: Cancellation;
  /** Names the check in the error. */
  readonly part: string;
  /** What a cancellation throws. */
  readonly options?: Pick<WaitOptions, 'cancelled'> | undefined;
}

/**
 * Waits for a check of a call, such as a predicate or a credential store, until the tool's `checkTimeout` or the
 * cancellation of the invocation. The check is abandoned then.
 *
 * @throws {ToolTimeoutError}
 * @throws {InvocationCancelledError}
 */
export function withinCheckTime<Result>(
  checking: PromiseLike<Result>,
  { tool, cancellation, part, options }: WatchedCheck,
): Promise<Result> {
  const limit = tool.traits.checkTimeout ?? DEFAULT_CHECK_MS;
  return cancellation.wait(checking, {
    ...options,
    limit,
    late: () => new ToolTimeoutError(tool.name, limit, part),
  });
}

/**
 * Stops a call at its time limit or at the end of its invocation, whichever comes first. The limit is extended by the
 * time that the call waited for its reader.
 */
class Watch implements Cancellable {
  private readonly limit: number;
  private stopTimer: (() => void) | undefined;
  /** By how many milliseconds the limit was extended. */
  private credited = 0;
  private hasEnded = false;
  /** True if the call was abandoned. */
  private hasStopped = false;

  constructor(
    private readonly watched: Watched,
    private readonly stopped: (error: Error) => void,
  ) {
    this.limit = timeLimitOf(watched.tool, watched.toolTimeout);
    if (this.limit !== Infinity)
      this.stopTimer = startTimer(watched.cancellation.clock, this.limit, this.expired);
    watched.cancellation.add(this);
    watched.hearing?.add(this);
  }

  /**
   * Ends the watch because the call has ended.
   *
   * @returns false if the call was abandoned before
   */
  endsInTime(failure?: { readonly error: unknown }): boolean {
    if (this.hasStopped) this.watched.endedLate(failure);
    else this.end();
    return !this.hasStopped;
  }

  private end(): void {
    this.hasEnded = true;
    this.stopTimer?.();
    this.watched.cancellation.remove(this);
    this.watched.hearing?.remove(this);
  }

  private readonly expired = (): void => {
    const { readerWait, tool } = this.watched;
    const missing = (readerWait?.elapsed ?? 0) - this.credited;
    if (!readerWait || missing <= 0) {
      this.stop(new ToolTimeoutError(tool.name, this.limit));
    } else if (readerWait.isWaiting) {
      readerWait.onceEnded(() => {
        this.extend(readerWait, missing);
      });
    } else {
      this.extend(readerWait, missing);
    }
  };

  private extend(readerWait: ReaderWait, milliseconds: number): void {
    if (this.hasEnded) return;
    this.credited = readerWait.elapsed;
    this.stopTimer = startTimer(this.watched.cancellation.clock, milliseconds, this.expired);
  }

  cancelled(): void {
    this.stopTimer?.();
    const stop = (): void => {
      this.stop(InvocationCancelledError.duringCall());
    };
    const { cancellation, hearing, tool } = this.watched;
    if (tool.runAgent === undefined && !hearing) stop();
    else this.stopTimer = startTimer(cancellation.clock, CALL_GRACE_MS, stop);
  }

  private stop(error: Error): void {
    this.end();
    this.hasStopped = true;
    this.watched.context.abort(error);
    this.stopped(error);
  }
}
