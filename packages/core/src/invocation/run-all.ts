import type { FunctionCall } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import { agentNameOf, isWithin, runPathOf } from '../events/event-place.js';
import type { OpenCall } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import { startTimer } from '../runtime/clock.js';
import type { AgentResult } from './agent-result.js';
import { cancelledResult, runChild, stop, STOP, SUPERFLUOUS } from './agent-run.js';
import { type Cancellable, isCancelledEnd } from './cancellation.js';
import type { InvocationContext } from './invocation-context.js';

/** How runs side by side go on. */
export interface RunAllOptions {
  readonly concurrency?: number | undefined;
  /** Whether a result is enough, so that the other runs are cancelled. */
  readonly until?: ((result: AgentResult<unknown>, index: number) => boolean) | undefined;
}

/** How long cancelled runs may take to end before they are left behind. */
const GRACE_MS = 500;

/**
 * Runs sub-agents side by side, as one stream of events: a run goes on when its last event was taken, which is then
 * stored. A run that stops, because it waits for an answer, stops all once the others have ended.
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
        // What has ended before is heard before another begins: it may be enough.
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

/** Runs that the log holds the end of come first, in the order of their ends. */
function startOrder(branches: readonly Branch[]): Branch[] {
  const ended = branches.filter(({ endIndex }) => endIndex !== undefined);
  ended.sort((a, b) => (a.endIndex ?? 0) - (b.endIndex ?? 0));
  return [...ended, ...branches.filter(({ endIndex }) => endIndex === undefined)];
}

/** Should a run wake up later, it goes no further than its `finally` blocks, and stores nothing. */
function leaveBehind(branches: readonly Branch[]): void {
  for (const branch of branches) {
    if (!branch.isRunning) continue;
    const { cancellation, path, services } = branch.context;
    services.logger.warn('an agent was cancelled and does not end; it is left behind', { agent: path });
    cancellation.isOver = true;
    branch.close().catch(noop);
  }
}

function noop(): void {
  // Nobody waits for what was left behind, nor for what it throws.
}

/** Ends what still runs, such as behind an error. What does not end in time is left behind. */
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
  /** Where the log holds the end of the run. */
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

  /** True while the result of a run is awaited that has ended before. */
  get isReturning(): boolean {
    return this.isRunning && this.endIndex !== undefined;
  }

  /** Asks for the next event, and calls back when it is there. */
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

  /** What arrived. */
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

  /** True for an event that says that this run was cancelled: the runner, or the end of the run, says so. */
  tellsCancelled(event: Event): boolean {
    return this.context.cancellation.isCancelled && isCancelledEnd(event);
  }

  /**
   * Ends a run that is not needed any more: all its calls are answered before its end is stored, and a replay does not
   * begin it. One that still runs stores nothing from now on.
   */
  async *dismiss(): AsyncGenerator<Event, void, undefined> {
    const { context } = this;
    const { agent, path, invocation } = context;
    if (!this.isRunning && !this.hasBegun) return;
    if (this.isRunning) context.cancellation.isOver = true;
    invocation.dropAnswers(path);
    for (const { call, event } of this.openCalls())
      yield this.withdrawal(call, runPathOf(event) ?? path, event.isolationScope);
    // The listing of a toolset waits without a call.
    for (const { request, path: askedAt = path, scope } of context.openRequests)
      yield this.withdrawal({ id: request.functionCallId, name: request.tool }, askedAt, scope);
    const ended = { errorCode: 'CANCELLED', errorMessage: SUPERFLUOUS, actions: { endOfAgent: true } };
    await invocation.append(context.event({ author: agent.name, ...ended }));
  }

  /** The calls of this run and of those below it that have no response, the innermost first. */
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

/** The runs whose next event is there, in the order in which the events came. */
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

  /** Undefined once nothing more is waited for. */
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

/** Which run wrote which key of the state, to tell where two wrote one. */
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
      logger.warn('agents that run side by side wrote one key of the state; the later wins', {
        key,
        agents: [first.agent, agent],
      });
    }
  }
}
