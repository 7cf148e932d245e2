import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import { startTimer } from '../runtime/clock.js';
import { Channel } from '../runtime/channel.js';
import { recordedCalls } from './budget.js';
import type { AgentResult } from './agent-result.js';
import { cancelledResult, runChild, SUPERFLUOUS } from './agent-run.js';
import { type Cancellable, Cancellation, isCancelledEnd, NotTakenError } from './cancellation.js';
import type { InvocationContext } from './invocation-context.js';
import { withdrawCalls } from './withdraw-calls.js';

/** The options of parallel runs. */
export interface RunAllOptions {
  readonly concurrency?: number | undefined;
  /** Returns true if a result is enough: the other runs are then cancelled. */
  readonly until?: ((result: AgentResult<unknown>, index: number) => boolean) | undefined;
}

/** How long cancelled runs may take to end before they are abandoned, in milliseconds. */
const GRACE_MS = 500;

/**
 * Runs sub-agents in parallel, which emit to one sink. If a run stops because it waits for an answer or the budget is
 * spent, all stop after the others have ended.
 *
 * @param contexts of the runs, each with a cancellation of its own
 * @returns undefined if a run stops
 */
export async function runAll(
  parent: InvocationContext,
  contexts: readonly InvocationContext[],
  { concurrency = contexts.length, until }: RunAllOptions,
  sink: EventSink,
): Promise<AgentResult<unknown>[] | undefined> {
  const writers = new StateWriters(parent);
  const branches = contexts.map((context, index) => new Branch(context, index, { parent, sink, writers }));
  const cancellation = new CancelAll(branches);
  parent.cancellation.add(cancellation);
  const ends = Channel.unbounded<Branch>();
  const waiting = startOrder(branches);
  let isEnough = false;
  let running = 0;
  let stopGrace: (() => void) | undefined;
  let isGivenUp = false;
  try {
    for (;;) {
      while (waiting.length > 0 && !isEnough && !parent.cancellation.isCancelled && !parent.spent) {
        if (running >= Math.max(1, concurrency)) break;
        // Recorded results are read before another run begins: one may be enough.
        if (running > 0 && branches.some((branch) => branch.isReturning)) break;
        running++;
        const branch = waiting.shift() as Branch;
        void branch.run().then(() => {
          ends.push(branch);
        });
      }
      if (running === 0) break;
      const { value: branch, done } = await ends.next();
      if (done === true) {
        isGivenUp = true;
        break;
      }
      running--;
      const result = branch.settled();
      if (!result || isEnough || until?.(result, branch.index) !== true) continue;
      isEnough = true;
      cancellation.cancelled();
      stopGrace = startTimer(parent.services.clock, GRACE_MS, () => {
        ends.end();
      });
    }
    for (const branch of branches) {
      if (branch.result) continue;
      if (!isEnough) return undefined;
      await branch.dismiss();
    }
    return branches.map(({ context, result }) => result ?? cancelledResult(context.path));
  } finally {
    stopGrace?.();
    parent.cancellation.remove(cancellation);
    if (isGivenUp) leaveBehind(branches);
    else await closeAll(branches, parent);
  }
}

/** Puts runs with a recorded end first, in the order of their ends. */
function startOrder(branches: readonly Branch[]): Branch[] {
  const ended = branches.filter(({ endIndex }) => endIndex !== undefined);
  ended.sort((a, b) => (a.endIndex ?? 0) - (b.endIndex ?? 0));
  return [...ended, ...branches.filter(({ endIndex }) => endIndex === undefined)];
}

/** Abandons runs. If one wakes up later, only its `finally` blocks run, and it stores nothing. */
function leaveBehind(branches: readonly Branch[]): void {
  for (const branch of branches) {
    if (!branch.isRunning) continue;
    const { cancellation, path, services } = branch.context;
    services.logger.warn('an agent was cancelled and does not end; it is abandoned', { agent: path });
    cancellation.isOver = true;
  }
}

/** Ends the remaining runs, such as after an error. Runs that do not end in time are abandoned. */
async function closeAll(branches: readonly Branch[], { services }: InvocationContext): Promise<void> {
  const open = branches.filter(({ isRunning }) => isRunning);
  if (open.length === 0) return;
  for (const { context } of open) {
    context.cancellation.isOver = true;
    context.cancellation.cancel();
  }
  const ends = Promise.all(open.map(({ running }) => running));
  await new Cancellation(services.clock).wait(ends, { limit: GRACE_MS }).catch(noop);
}

/** The parts that the runs share. */
interface Shared {
  readonly parent: InvocationContext;
  readonly sink: EventSink;
  readonly writers: StateWriters;
}

/** One of the runs. */
class Branch implements EventSink {
  result: AgentResult<unknown> | undefined;
  isRunning = false;
  /** Never rejects. */
  running: Promise<void> = Promise.resolve();
  /** The index of the recorded end of the run, if it has one. */
  readonly endIndex: number | undefined;
  private hasEmitted = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    readonly context: InvocationContext,
    readonly index: number,
    private readonly shared: Shared,
  ) {
    const recorded = context.invocation.replay?.run(context.path);
    this.endIndex = recorded?.hasEnded === true ? recorded.last : undefined;
  }

  /** True while it waits for the recorded result of a run. */
  get isReturning(): boolean {
    return this.isRunning && this.endIndex !== undefined;
  }

  run(): Promise<void> {
    this.isRunning = true;
    return (this.running = this.perform());
  }

  /** The result of the run, which has ended; undefined if it stopped. */
  settled(): AgentResult<unknown> | undefined {
    if (this.failure) throw this.failure.error;
    return this.result;
  }

  emit(event: Event): Promise<void> {
    const { sink, writers } = this.shared;
    if (this.context.cancellation.isOver) return Promise.reject(new NotTakenError());
    this.hasEmitted = true;
    writers.note(event, this);
    return this.isOwnCancellation(event) ? Promise.resolve() : sink.emit(event);
  }

  private async perform(): Promise<void> {
    try {
      const result = await runChild(this.context, this.shared.parent, this);
      if (!this.context.cancellation.isOver) this.result = result;
    } catch (error) {
      this.failure = { error };
    } finally {
      this.isRunning = false;
    }
  }

  /** True for an event about the cancellation of this run, which the runner or the end of the run reports. */
  private isOwnCancellation(event: Event): boolean {
    return this.context.cancellation.isCancelled && isCancelledEnd(event);
  }

  /**
   * Ends a superfluous run. All its calls are answered before its end is stored, so that a replay does not begin it. A run
   * that is still active stores nothing from now on.
   */
  async dismiss(): Promise<void> {
    const { context } = this;
    const { agent, path, invocation } = context;
    if (!this.isRunning && !this.hasBegun) return;
    if (this.isRunning) context.cancellation.isOver = true;
    invocation.dropAnswers(path);
    const llmCalls = invocation.budget.drainUnrecorded(path);
    const customMetadata = llmCalls > 0 ? recordedCalls(llmCalls) : undefined;
    await withdrawCalls(context, this.shared.sink, SUPERFLUOUS);
    const ended = { errorCode: 'CANCELLED', errorMessage: SUPERFLUOUS, actions: { endOfAgent: true } };
    await invocation.log.append(context.event({ author: agent.name, customMetadata, ...ended }));
  }

  private get hasBegun(): boolean {
    return this.hasEmitted || this.context.isResumed;
  }
}

class CancelAll implements Cancellable {
  constructor(private readonly branches: readonly Branch[]) {}

  cancelled(): void {
    for (const { context, result } of this.branches) if (!result) context.cancellation.cancel();
  }
}

/** The run that wrote each state key. Warns if two runs write the same key. */
class StateWriters {
  private readonly writers = new Map<string, { readonly branch: Branch; readonly agent: string }>();
  private readonly told = new Set<string>();

  constructor(private readonly parent: InvocationContext) {}

  note({ actions, nodeInfo, partial }: Event, branch: Branch): void {
    if (partial) return;
    const agent = nodeInfo?.path ?? branch.context.path;
    for (const key in actions.stateDelta) {
      const first = this.writers.get(key);
      this.writers.set(key, { branch, agent });
      if (!first || first.branch === branch || this.told.has(key)) continue;
      this.told.add(key);
      const { logger } = this.parent.services;
      logger.warn('parallel agents wrote the same state key; the later write wins', {
        key,
        agents: [first.agent, agent],
      });
    }
  }
}

function noop(): void {
  // Runs that do not end in time are abandoned.
}
