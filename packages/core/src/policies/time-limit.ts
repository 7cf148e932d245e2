import { type Cancellable, type Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';
import type { ToolContext } from '../tools/tool-context.js';
import { isLongRunning, schedulingOf, type Tool } from '../tools/tool.js';
import { ToolTimeoutError } from './errors.js';
import type { ReaderWait } from './reader-wait.js';

const DEFAULT_MS = 30_000;

/** The time limit of the tool's calls, in milliseconds. */
export function timeLimitOf({ traits }: Tool): number {
  const isSlow = isLongRunning(traits) || schedulingOf(traits) !== undefined;
  return traits.timeout ?? (isSlow ? Infinity : DEFAULT_MS);
}

/** A running call and what watches it. */
export interface Watched {
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly cancellation: Cancellation;
  /** Set once the call emits events; the time limit does not count these waits. */
  readonly readerWait?: ReaderWait | undefined;
  /** Called when an abandoned call ends, with its error if it failed. */
  endedLate(failure?: { readonly error: unknown }): void;
}

/**
 * Waits for a running call until its time limit or the cancellation of the invocation, then aborts it. A call that does
 * not stop is abandoned.
 *
 * @param succeed converts the result
 * @param fail converts an error of the call, a `ToolTimeoutError` or an `InvocationCancelledError`
 */
export function withinTime<Result, Outcome>(
  running: PromiseLike<Result>,
  watched: Watched,
  succeed: (result: Result) => Outcome | PromiseLike<Outcome>,
  fail: (error: unknown) => Outcome | PromiseLike<Outcome>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const watch = new Watch(watched, (error) => {
      settle(fail, error, resolve, reject);
    });
    Promise.resolve(running).then(
      (result) => {
        if (watch.endsInTime()) settle(succeed, result, resolve, reject);
      },
      (error: unknown) => {
        if (watch.endsInTime({ error })) settle(fail, error, resolve, reject);
      },
    );
  });
}

function settle<Value, Outcome>(
  outcomeOf: (value: Value) => Outcome,
  value: Value,
  resolve: (outcome: Outcome) => void,
  reject: (error: unknown) => void,
): void {
  try {
    resolve(outcomeOf(value));
  } catch (error) {
    reject(error);
  }
}

/** Default time limit of each check before a run, in milliseconds. */
const DEFAULT_CHECK_MS = 30_000;

/** A check of a call, with its limits. */
interface WatchedCheck {
  readonly tool: Tool;
  readonly cancellation: Cancellation;
  /** Names the check in the error. */
  readonly part: string;
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
  { tool, cancellation, part }: WatchedCheck,
): Promise<Result> {
  const limit = tool.traits.checkTimeout ?? DEFAULT_CHECK_MS;
  return unlessLate(checking, {
    limit,
    cancellation,
    late: () => new ToolTimeoutError(tool.name, limit, part),
  });
}

/** The limits of a wait of {@link unlessLate}. */
interface WaitLimit {
  /** Milliseconds; `Infinity` for no limit. */
  readonly limit: number;
  readonly cancellation: Cancellation;
  /** Makes the error of the time limit. */
  readonly late: () => Error;
}

/**
 * Waits for a promise until a time limit or the cancellation of the invocation. The promise is abandoned then.
 *
 * @throws {InvocationCancelledError}
 */
export function unlessLate<Result>(
  waiting: PromiseLike<Result>,
  { limit, cancellation, late }: WaitLimit,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const deadlines = limit === Infinity ? undefined : deadlinesAfter(limit);
    const end = (): void => {
      deadlines?.remove(watch);
      cancellation.remove(watch);
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const watch: Expiring & Cancellable = {
      expired: () => {
        fail(late());
      },
      cancelled: () => {
        fail(new InvocationCancelledError());
      },
    };
    deadlines?.add(watch);
    cancellation.add(watch);
    Promise.resolve(waiting).finally(end).then(resolve, reject);
  });
}

/**
 * Stops a call at its time limit or at the end of its invocation, whichever comes first. The limit is extended by the
 * time that the call waited for its reader.
 */
class Watch implements Expiring, Cancellable {
  private readonly limit: number;
  private readonly deadlines: DeadlineList | undefined;
  private extension: NodeJS.Timeout | undefined;
  /** By how many milliseconds the limit was extended. */
  private credited = 0;
  private hasEnded = false;
  /** True if the call was abandoned. */
  private hasStopped = false;

  constructor(
    private readonly watched: Watched,
    private readonly stopped: (error: Error) => void,
  ) {
    this.limit = timeLimitOf(watched.tool);
    this.deadlines = this.limit === Infinity ? undefined : deadlinesAfter(this.limit);
    this.deadlines?.add(this);
    watched.cancellation.add(this);
    KEPT_SHAPES.watch = this;
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
    clearTimeout(this.extension);
    this.deadlines?.remove(this);
    this.watched.cancellation.remove(this);
  }

  expired(): void {
    const { readerWait, tool } = this.watched;
    const missing = (readerWait?.elapsed ?? 0) - this.credited;
    if (readerWait === undefined || missing <= 0) {
      this.stop(new ToolTimeoutError(tool.name, this.limit));
    } else if (readerWait.isWaiting) {
      readerWait.onceEnded(() => {
        this.extend(readerWait, missing);
      });
    } else {
      this.extend(readerWait, missing);
    }
  }

  private extend(readerWait: ReaderWait, milliseconds: number): void {
    if (this.hasEnded) return;
    this.credited = readerWait.elapsed;
    this.extension = setTimeout(
      () => {
        this.expired();
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  cancelled(): void {
    this.stop(InvocationCancelledError.duringCall());
  }

  private stop(error: Error): void {
    this.end();
    this.hasStopped = true;
    this.watched.context.abort(error);
    this.stopped(error);
  }
}

/** Something with a deadline. */
export interface Expiring {
  /** Its place in the list, if it has one. */
  deadline?: Deadline | undefined;
  expired(): void;
}

interface Deadline {
  readonly time: number;
  /**
   * Undefined once it is removed. When a Set grows, its old table keeps the entries of that moment, and refers to the
   * new table: without this, dead tables would keep the objects of earlier calls alive until a full collection.
   */
  expiring: Expiring | undefined;
}

/** The maximum delay of a Node timer, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

const lists = new Map<number, DeadlineList>();

/** The list of deadlines for a limit in milliseconds. */
export function deadlinesAfter(limit: number): DeadlineList {
  let list = lists.get(limit);
  if (list === undefined) lists.set(limit, (list = new DeadlineList(limit)));
  return list;
}

/**
 * Deadlines of one length. They end in the order in which they were added, so one timer serves them all: a timer for
 * each call would cost more than its gates. The timer is reused by later calls, and keeps the process alive only while
 * the list is not empty.
 */
export class DeadlineList {
  private readonly deadlines = new Set<Deadline>();
  private timer: NodeJS.Timeout | undefined;
  /** The function that created the timer. Tests replace the clock, and the timer of an earlier clock never fires. */
  private clock: typeof setTimeout | undefined;

  constructor(private readonly limit: number) {}

  /** Number of entries. */
  get size(): number {
    return this.deadlines.size;
  }

  add(expiring: Expiring): void {
    const deadline = { time: performance.now() + this.limit, expiring };
    expiring.deadline = deadline;
    this.deadlines.add(deadline);
    if (this.timer === undefined || this.clock !== setTimeout) this.timer = this.wakeAfter(this.limit);
    else if (this.deadlines.size === 1) this.timer.ref();
  }

  remove(expiring: Expiring): void {
    const { deadline } = expiring;
    if (deadline === undefined) return;
    this.drop(deadline);
    if (this.deadlines.size === 0) this.timer?.unref();
  }

  private wakeAfter(milliseconds: number): NodeJS.Timeout {
    this.clock = setTimeout;
    return setTimeout(
      () => {
        this.timer = undefined;
        this.expire(performance.now());
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  private expire(now: number): void {
    for (const deadline of this.deadlines) {
      const { time, expiring } = deadline;
      if (time > now) {
        this.timer ??= this.wakeAfter(time - now);
        return;
      }
      this.drop(deadline);
      expiring?.expired();
    }
  }

  private drop(deadline: Deadline): void {
    this.deadlines.delete(deadline);
    if (deadline.expiring !== undefined) deadline.expiring.deadline = undefined;
    deadline.expiring = undefined;
  }
}
