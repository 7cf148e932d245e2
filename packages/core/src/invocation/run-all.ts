import type { FunctionCall } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import { agentNameOf, isWithin, runPathOf } from '../events/event-place.js';
import type { OpenCall } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import { startTimer } from '../runtime/clock.js';
import { recordedCalls } from './budget.js';
import type { AgentResult } from './agent-result.js';
import { cancelledResult, runChild, stop, STOP, SUPERFLUOUS } from './agent-run.js';
import { type Cancellable, isCancelledEnd } from './cancellation.js';
import type { InvocationContext } from './invocation-context.js';

/** The options of parallel runs. */
export interface RunAllOptions {
  readonly concurrency?: number | undefined;
  /** Returns true if a result is enough: the other runs are then cancelled. */
  readonly until?: ((result: AgentResult<unknown>, index: number) => boolean) | undefined;
}

/** How long cancelled runs may take to end before they are abandoned, in milliseconds. */
const GRACE_MS = 500;

/**
 * Runs sub-agents in parallel, as one stream of events. A run continues after its last event was taken and stored. If a run
 * stops because it waits for an answer, all stop after the others have ended.
 *
 * @param contexts of the runs, each with a cancellation of its own
 */
export async function* runAll(
  parent: InvocationContext,
  contexts: readonly InvocationContext[],
  { concurrency = contexts.length, until }: RunAllOptions,
): AsyncGenerator<Event, AgentResult<unknown>[], undefined> {
  const branches = contexts.map((context, index) => new Branch(context, index, parent));
  const cancellation = new CancelAll(branches);
  parent.cancellation.add(cancellation);
  const arrivals = new Arrivals();
  const writers = new StateWriters(parent);
  const waiting = startOrder(branches);
  let isEnough = false;
  let running = 0;
  let stopGrace: (() => void) | undefined;
  try {
    for (;;) {
      while (waiting.length > 0 && !isEnough && !parent.cancellation.isCancelled) {
        if (running >= Math.max(1, concurrency)) break;
        // Recorded results are read before another run begins: one may be enough.
        if (running > 0 && branches.some((branch) => branch.isReturning)) break;
        running++;
        arrivals.await(waiting.shift() as Branch);
      }
      if (running === 0) break;
      const branch = await arrivals.next();
      if (branch === undefined) break;
      const { value, done } = branch.step();
      if (done === true) {
        running--;
        branch.result = value;
        if (isEnough || until?.(value, branch.index) !== true) continue;
        isEnough = true;
        cancellation.cancelled();
        stopGrace = startTimer(parent.services.clock, GRACE_MS, () => {
          arrivals.giveUp();
        });
      } else if (value === STOP) {
        running--;
        await branch.close();
      } else {
        writers.note(value, branch);
        if (!branch.tellsCancelled(value)) yield value;
        arrivals.await(branch);
      }
    }
    for (const branch of branches) {
      if (branch.result !== undefined) continue;
      if (!isEnough) return yield* stop(parent.path);
      yield* branch.dismiss();
    }
    return branches.map(({ context, result }) => result ?? cancelledResult(context.path));
  } finally {
    stopGrace?.();
    parent.cancellation.remove(cancellation);
    if (arrivals.isGivenUp) leaveBehind(branches);
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
    branch.close().catch(noop);
  }
}

function noop(): void {
  // Results and errors of abandoned runs are ignored.
}

/** Ends the remaining runs, such as after an error. Runs that do not end in time are abandoned. */
async function closeAll(branches: readonly Branch[], { services }: InvocationContext): Promise<void> {
  const open = branches.filter(({ isRunning }) => isRunning);
  if (open.length === 0) return;
  for (const { context } of open) context.cancellation.cancel();
  const closing = Promise.allSettled(open.map((branch) => branch.close()));
  await new Promise<void>((resolve) => {
    const stopTimer = startTimer(services.clock, GRACE_MS, resolve);
    void closing.then(() => {
      stopTimer();
      resolve();
    });
  });
}

type Step = IteratorResult<Event, AgentResult<unknown>>;

/** One of the runs. */
class Branch {
  result: AgentResult<unknown> | undefined;
  isRunning = false;
  /** The index of the recorded end of the run, if it has one. */
  readonly endIndex: number | undefined;
  private readonly events: AsyncGenerator<Event, AgentResult<unknown>, undefined>;
  private arrived: { readonly step: Step } | { readonly error: unknown } | undefined;

  constructor(
    readonly context: InvocationContext,
    readonly index: number,
    parent: InvocationContext,
  ) {
    const recorded = context.invocation.replay?.run(context.path);
    this.endIndex = recorded?.hasEnded === true ? recorded.last : undefined;
    this.events = runChild(context, parent);
  }

  /** True while it waits for the recorded result of a run. */
  get isReturning(): boolean {
    return this.isRunning && this.endIndex !== undefined;
  }

  /** Requests the next event, and calls back when it has arrived. */
  ask(arrived: () => void): void {
    this.isRunning = true;
    this.events.next().then(
      (step) => {
        this.arrived = { step };
        arrived();
      },
      (error: unknown) => {
        this.arrived = { error };
        arrived();
      },
    );
  }

  /** The event or the result that arrived. */
  step(): Step {
    const { arrived } = this;
    if (arrived === undefined || 'error' in arrived) {
      this.isRunning = false;
      throw arrived?.error;
    }
    if (arrived.step.done === true) this.isRunning = false;
    return arrived.step;
  }

  async close(): Promise<void> {
    this.isRunning = false;
    await this.events.return(cancelledResult(this.context.path));
  }

  /** True for an event about the cancellation of this run, which the runner or the end of the run reports. */
  tellsCancelled(event: Event): boolean {
    return this.context.cancellation.isCancelled && isCancelledEnd(event);
  }

  /**
   * Ends a superfluous run. All its calls are answered before its end is stored, so that a replay does not begin it. A run
   * that is still active stores nothing from now on.
   */
  async *dismiss(): AsyncGenerator<Event, void, undefined> {
    const { context } = this;
    const { agent, path, invocation } = context;
    if (!this.isRunning && !this.hasBegun) return;
    if (this.isRunning) context.cancellation.isOver = true;
    invocation.dropAnswers(path);
    const llmCalls = invocation.budget.takeUnrecorded(path);
    const customMetadata = llmCalls > 0 ? recordedCalls(llmCalls) : undefined;
    for (const { call, event } of this.openCalls())
      yield this.withdrawal(call, runPathOf(event) ?? path, event.isolationScope);
    // A toolset's request has no call.
    for (const { request, path: askedAt = path, scope } of context.openRequests)
      yield this.withdrawal({ id: request.functionCallId, name: request.tool }, askedAt, scope);
    const ended = { errorCode: 'CANCELLED', errorMessage: SUPERFLUOUS, actions: { endOfAgent: true } };
    await invocation.log.append(context.event({ author: agent.name, customMetadata, ...ended }));
  }

  /** The calls without a response of this run and of the runs below it, the innermost first. */
  private openCalls(): OpenCall[] {
    const { session, path, invocation } = this.context;
    const calls = PendingIndex.of(session)
      .calls()
      .filter(({ event }) => isWithin(runPathOf(event) ?? '', path) && invocation.continues(event));
    return calls.reverse();
  }

  /** The response to a call that waits in this run. */
  private withdrawal({ id, name }: FunctionCall, askedAt: string, scope: string | undefined): Event {
    const functionResponse = { id, name, response: { error: SUPERFLUOUS } };
    return this.context.event({
      author: agentNameOf(askedAt),
      nodeInfo: { path: askedAt },
      content: { role: 'user', parts: [{ functionResponse }] },
      ...(scope !== undefined && { isolationScope: scope }),
    });
  }

  private get hasBegun(): boolean {
    return this.arrived !== undefined || this.context.isResumed;
  }
}

class CancelAll implements Cancellable {
  constructor(private readonly branches: readonly Branch[]) {}

  cancelled(): void {
    for (const { context, result } of this.branches) if (result === undefined) context.cancellation.cancel();
  }
}

/** The runs whose next event has arrived, in the order of arrival. */
class Arrivals {
  private readonly arrived: Branch[] = [];
  private wake: (() => void) | undefined;
  isGivenUp = false;

  await(branch: Branch): void {
    branch.ask(() => {
      this.arrived.push(branch);
      this.wake?.();
    });
  }

  /** The next run; undefined if no more events are awaited. */
  async next(): Promise<Branch | undefined> {
    if (this.arrived.length === 0 && !this.isGivenUp)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    this.wake = undefined;
    return this.isGivenUp ? undefined : this.arrived.shift();
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.wake?.();
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
      if (first === undefined || first.branch === branch || this.told.has(key)) continue;
      this.told.add(key);
      const { logger } = this.parent.services;
      logger.warn('parallel agents wrote the same state key; the later write wins', {
        key,
        agents: [first.agent, agent],
      });
    }
  }
}
