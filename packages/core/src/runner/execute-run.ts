import { Event, type EventBody } from '../events/event.js';
import { runAgent } from '../invocation/agent-run.js';
import { followSignal, isCancelledEnd } from '../invocation/cancellation.js';
import type { Invocation } from '../invocation/invocation.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { InvocationChains } from '../log/invocation-chains.js';
import type { OpenRequest } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import { yieldedPiece } from '../sessions/session-record.js';
import { endEvent } from '../turn/turn-agent.js';
import { type Execute, type ExecutingRun, READER_STOPPED } from './active-run.js';
import {
  enterSession,
  invocationOf,
  mergedActions,
  newSession,
  startOf,
  takeMessage,
  unlessRunCancelled,
} from './begin-run.js';
import { entryAgents } from './entry-agents.js';
import { NothingToResumeError, RunnerClosedError } from './errors.js';
import { interruptedResponses, isSiblingPending, unclaimedResponses } from './interrupted-run.js';
import type { RunPlace } from './run.js';
import type { HookAnswer, RunHooks } from './run-hooks.js';
import { checkedRequest, type ExecutionInput, type RunRequest } from './run-input.js';
import type { RunSetting } from './run-setting.js';
import { Stage } from './stage.js';

/**
 * Executes one message, from its session to its closing events.
 *
 * @param inputOf may throw; the run then ends with the error
 */
export function executing(setting: RunSetting, inputOf: () => ExecutionInput): Execute {
  return (run) => {
    if (setting.isClosing()) throw new RunnerClosedError();
    const request = checkedRequest(setting, run.invocationId, inputOf());
    return new RunExecution(setting, run, request).execute();
  };
}

class RunExecution {
  private invocation: Invocation | undefined;
  private last: Event | undefined;
  /** True if a composite stopped because something in it waits for an answer. */
  private isPaused = false;

  constructor(
    private readonly setting: RunSetting,
    private readonly run: ExecutingRun,
    private readonly request: RunRequest,
  ) {}

  async execute(): Promise<RunPlace> {
    const { run, setting } = this;
    const { key, config, signal } = this.request;
    const turn = setting.runs.enter(run, key, { whileActive: config.whileActive, signal });
    let unfollow = noop;
    let failure: { readonly error: unknown } | undefined;
    try {
      unfollow = followSignal(run.cancellation, signal);
      const isNext = isPromiseLike(turn) ? await turn : turn;
      await (isNext ? this.converse() : this.cancelledWaiting());
    } catch (error) {
      failure = { error };
    }
    try {
      const { afterRun } = setting.hooks;
      const end = failure === undefined || failure.error === READER_STOPPED ? {} : failure;
      if (this.invocation !== undefined) await afterRun?.({ last: this.last, ...end }, this.invocation.root);
    } finally {
      unfollow();
      this.leave();
    }
    if (failure !== undefined) throw failure.error;
    return this.place();
  }

  /** From the message to the closing events. */
  private async converse(): Promise<void> {
    const { request, run, setting } = this;
    const { sessions } = setting.services;
    const { onUserMessage, beforeRun } = setting.hooks;
    const session = (await sessions.getSession(request.key)) ?? (await newSession(sessions, request));
    const entering = enterSession(setting.fence, request, session, run.cancellation);
    const entered = isPromiseLike(entering) ? await entering : entering;
    if (entered === undefined) return this.cancelledWaiting();
    this.refuseStopped();
    const start = startOf(setting.root, request, entered);
    const { interrupted, chains, read } = start;
    this.invocation = invocationOf(setting, run, request, start, start.content);
    let heard: HookAnswer | undefined;
    if (request.kind === 'message' && onUserMessage !== undefined) {
      heard = await unlessRunCancelled(onUserMessage(read.content, this.invocation.root), run);
      if (heard === undefined) return this.cancelledWaiting();
      if (heard.content !== undefined) {
        this.invocation.end();
        this.invocation = invocationOf(setting, run, request, start, heard.content);
      }
    }
    const { invocation } = this;
    const { root } = invocation;
    const begunAt = invocation.session.nextSeq;
    for (const event of interruptedResponses(root, interrupted)) await this.emit(event, root);
    if (request.kind === 'message') {
      const { stateDelta } = request;
      const actions = mergedActions(stateDelta && { stateDelta }, heard?.actions);
      const taking = takeMessage(
        root,
        actions,
        heard?.content === undefined ? read : { ...read, content: heard.content },
      );
      if (isPromiseLike(taking)) await taking;
    }
    let isIdle =
      request.kind === 'resume' && interrupted.again.length === 0 && isSiblingPending(root, interrupted);
    if (!isIdle && beforeRun !== undefined)
      isIdle = await this.isAnsweredBefore(beforeRun, invocation, chains);
    if (!isIdle) {
      const stage = new Stage(run, (event) => this.accept(event, root));
      await stage.until(() => this.perform(entryAgents(invocation, chains), stage));
      // If the run has written nothing, all agents wait for answers. A run with a message has written that.
      if (this.isPaused && invocation.session.nextSeq === begunAt)
        throw NothingToResumeError.inSession(invocation.session.id);
    }
    this.refuseStopped();
    for (const event of this.closingEvents(root)) await this.emit(event, root);
  }

  private refuseStopped(): void {
    if (this.run.hasStopped) throw READER_STOPPED;
  }

  /** Runs the agents one after another. */
  private async perform(entries: Iterable<InvocationContext>, stage: Stage): Promise<void> {
    for (const entry of entries) {
      entry.invocation.result = undefined;
      const end = await runAgent(entry, stage);
      if (end === 'stopped') this.isPaused = !entry.cancellation.isCancelled;
    }
  }

  /** Calls `beforeRun`. True if its answer is the run's, or if the run was cancelled meanwhile. */
  private async isAnsweredBefore(
    beforeRun: NonNullable<RunHooks['beforeRun']>,
    invocation: Invocation,
    chains: InvocationChains | undefined,
  ): Promise<boolean> {
    const [first = invocation.root] = entryAgents(invocation, chains);
    const answer = await unlessRunCancelled(beforeRun(first), this.run);
    if (answer === undefined) return true;
    const event = answerEvent(first, answer);
    if (event !== undefined) await this.emit(event, invocation.root);
    return answer.content !== undefined;
  }

  private emit(event: Event, context: InvocationContext): Promise<void> {
    return this.run.emit(event, (one) => context.append(one).then(this.noteLast));
  }

  /** Stores an event of an agent. Returns the event to show. */
  private accept(event: Event, root: InvocationContext): Awaitable<Event> {
    if (event.partial) {
      const { onEvent } = this.setting.hooks;
      return onEvent === undefined ? yieldedPiece(event) : onEvent(event, root).then(yieldedPiece);
    }
    const stored = root.store(event);
    return isPromiseLike(stored) ? stored.then(this.noteLast) : this.noteLast(stored);
  }

  private readonly noteLast = (event: Event): Event => (this.last = event);

  /** Responses to unclaimed answers, and `CANCELLED`. */
  private closingEvents(context: InvocationContext): Event[] {
    const unclaimed = unclaimedResponses(context);
    const isTold = this.last !== undefined && isCancelledEnd(this.last);
    const isUntold = context.cancellation.isCancelled && !isTold;
    const cancelled = isUntold ? [endEvent(this.setting.root, context, 'CANCELLED')] : [];
    return unclaimed === undefined ? cancelled : [unclaimed, ...cancelled];
  }

  /** Refuses further events of the run, and lets the next run of the session begin. */
  private leave(): void {
    const { invocation, run } = this;
    const { runs, fence, compactor } = this.setting;
    run.cancellation.remove(run);
    run.cancellation.cancel();
    invocation?.end();
    if (invocation !== undefined) fence.release(invocation.session);
    runs.leave(run);
    if (invocation !== undefined) compactor?.consider(invocation.session, (key) => runs.isBusy(key));
  }

  private place(): RunPlace {
    const { invocation, request, run, setting } = this;
    const waiting = invocation !== undefined && this.isPaused ? openRequests(invocation) : NONE_OPEN;
    const { result: concluded, session } = invocation ?? {};
    return {
      root: setting.root,
      key: request.key,
      invocationId: run.invocationId,
      session,
      concluded,
      waiting,
    };
  }

  /** `CANCELLED` for a run that never began. It is not stored, because another run is active in the session. */
  private cancelledWaiting(): Promise<void> {
    const { invocationId } = this.run;
    const { root, services } = this.setting;
    const timestamp = services.clock.now();
    const event = (body: EventBody): Event => new Event(body, { invocationId, timestamp });
    return this.run.emit(endEvent(root, { event }, 'CANCELLED'), (one) => one);
  }
}

function noop(): void {
  // There is no signal.
}

const NONE_OPEN: readonly OpenRequest[] = Object.freeze([]);

/** The open requests of an invocation and of the invocations that it continues. */
function openRequests(invocation: Invocation): OpenRequest[] {
  return PendingIndex.of(invocation.session)
    .list()
    .filter((open) => invocation.continues(open));
}

/** Undefined if `beforeRun` neither answered nor wrote anything. */
function answerEvent(context: InvocationContext, { content, actions }: HookAnswer): Event | undefined {
  if (content === undefined && actions === undefined) return undefined;
  const author = context.agent.name;
  return context.event({ author, ...(content !== undefined && { content }), actions });
}
