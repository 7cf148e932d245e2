import type { Compactor } from '../compaction/compactor.js';
import { Event, type EventBody } from '../events/event.js';
import type { Session, SessionKey } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { runAgent, STOP } from '../invocation/agent-run.js';
import { followSignal, isCancelledEnd } from '../invocation/cancellation.js';
import type { Invocation } from '../invocation/invocation.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import type { CompleteRunConfig } from '../invocation/run-config.js';
import type { OpenRequest } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import { yieldedPiece } from '../sessions/session-record.js';
import { endEvent } from '../turn/turn-agent.js';
import type { ResultExecution } from './active-run.js';
import {
  type BeginningRun,
  type Begun,
  beginRun,
  enterSession,
  newSession,
  takeMessage,
  unlessRunCancelled,
} from './begin-run.js';
import { entryAgents } from './entry-agents.js';
import { NothingToResumeError, RunnerClosedError } from './errors.js';
import type { Failure } from './execution-driver.js';
import { interruptedResponses, isSiblingPending, unclaimedResponses } from './interrupted-run.js';
import { resultOf, type RunResult } from './run.js';
import type { HookAnswer, RunHooks } from './run-hooks.js';
import {
  checkedRequest,
  type DefaultUserWarning,
  type ExecutionInput,
  type RunRequest,
} from './run-input.js';
import type { RunQueue, SessionUse } from './run-queue.js';
import type { SessionFence } from './session-fence.js';

/** The shared settings of a runner's runs. */
export interface RunSetting {
  readonly appName: string;
  readonly root: AgentNode;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly runs: RunQueue;
  readonly fence: SessionFence;
  readonly compactor: Compactor | undefined;
  readonly hooks: RunHooks;
  readonly defaultUser: DefaultUserWarning;
  readonly isClosing: () => boolean;
}

/** One message, from its session to its closing events. */
export class RunExecution<Output> implements ResultExecution<Output>, BeginningRun {
  invocation: Invocation | undefined;
  private key: SessionKey | undefined;
  private last: Event | undefined;
  /** True once events of the run may be stored: the message was accepted. */
  private hasBegun = false;
  private unfollow: (() => void) | undefined;
  /** True if a composite stopped because something in it waits for an answer. */
  private hasStopped = false;
  /** The length of the log when the run began. */
  private begunAt: number | undefined;
  /** The agents that run one after another; undefined if there is nothing to do after the message. */
  private entries: Iterator<InvocationContext, unknown> | undefined;

  /** @param inputOf may throw; the run then ends with the error */
  constructor(
    readonly setting: RunSetting,
    readonly run: SessionUse,
    private readonly inputOf: () => ExecutionInput,
  ) {}

  async *begin(): AsyncGenerator<Event, void, undefined> {
    const request = this.readRequest();
    const turn = this.enter(request);
    const isNext = isPromiseLike(turn) ? await turn : turn;
    if (!isNext) return yield this.cancelledWaiting();
    const { sessions } = this.setting.services;
    const session = (await sessions.getSession(request.key)) ?? (await newSession(sessions, request));
    const opening = this.open(request, session);
    const begun = isPromiseLike(opening) ? await opening : opening;
    if (begun === undefined) return yield this.cancelledWaiting();
    const { invocation, chains, read, actions, interrupted } = begun;
    const context = invocation.root;
    this.begunAt = invocation.session.nextSeq;
    this.hasBegun = true;
    for (const event of interruptedResponses(context, interrupted)) yield await context.append(event);
    if (request.kind === 'message') {
      const taking = takeMessage(context, actions, read);
      if (isPromiseLike(taking)) await taking;
    } else if (interrupted.again.length === 0 && isSiblingPending(context, interrupted)) return;
    const { beforeRun } = this.setting.hooks;
    if (beforeRun !== undefined && (yield* this.answeredBefore(beforeRun, begun))) return;
    this.entries = entryAgents(invocation, chains)[Symbol.iterator]();
  }

  private readRequest(): RunRequest {
    const { setting } = this;
    if (setting.isClosing()) throw new RunnerClosedError();
    const request = checkedRequest(setting, this.run.invocationId, this.inputOf());
    this.key = request.key;
    return request;
  }

  /** Creates the invocation when no other process has the session. Undefined if the run was cancelled meanwhile. */
  private open(request: RunRequest, session: Session): Awaitable<Begun | undefined> {
    const entering = enterSession(this.setting.fence, request, session, this.run.cancellation);
    if (!isPromiseLike(entering)) return entering && beginRun(this, request, entering);
    return entering.then((entered) => entered && beginRun(this, request, entered));
  }

  /** Calls `beforeRun`. Returns true if its answer is the run's, or if the run was cancelled meanwhile. */
  private async *answeredBefore(
    beforeRun: NonNullable<RunHooks['beforeRun']>,
    { invocation, chains }: Begun,
  ): AsyncGenerator<Event, boolean, undefined> {
    const [first = invocation.root] = entryAgents(invocation, chains);
    const answer = await unlessRunCancelled(beforeRun(first), this.run);
    if (answer === undefined) return true;
    const event = answerEvent(first, answer);
    if (event !== undefined) yield (this.last = await invocation.root.append(event));
    return answer.content !== undefined;
  }

  nextAgent(): AsyncGenerator<Event, void, undefined> | undefined {
    const { invocation } = this;
    const entry = this.entries?.next();
    if (invocation === undefined || entry === undefined) return undefined;
    if (entry.done === true) {
      this.refuseIdleResume(invocation);
      return undefined;
    }
    invocation.result = undefined;
    return runAgent(entry.value);
  }

  accept(event: Event): Awaitable<Event | undefined> {
    const { invocation } = this;
    if (invocation === undefined) return undefined;
    if (event === STOP) {
      this.hasStopped = !invocation.cancellation.isCancelled;
      return undefined;
    }
    return event.partial ? this.shownPiece(event, invocation.root) : this.stored(event, invocation.root);
  }

  /** Throws if the run has written nothing, because all agents wait for answers. A run with a message has written that. */
  private refuseIdleResume({ session }: Invocation): void {
    if (this.hasStopped && session.nextSeq === this.begunAt) throw NothingToResumeError.inSession(session.id);
  }

  private shownPiece(event: Event, context: InvocationContext): Awaitable<Event> {
    const { onEvent } = this.setting.hooks;
    return onEvent === undefined ? yieldedPiece(event) : onEvent(event, context).then(yieldedPiece);
  }

  private stored(event: Event, context: InvocationContext): Awaitable<Event> {
    const stored = context.store(event);
    return isPromiseLike(stored) ? stored.then(this.noteLast) : this.noteLast(stored);
  }

  private readonly noteLast = (event: Event): Event => (this.last = event);

  /** False if the run was cancelled while it waited for its turn. */
  private enter({ key, config, signal }: RunRequest): Awaitable<boolean> {
    const { setting, run } = this;
    const turn = setting.runs.enter(run, key, { whileActive: config.whileActive, signal });
    this.unfollow = followSignal(run.cancellation, signal);
    return turn;
  }

  /** Responses to unclaimed answers, and `CANCELLED`. */
  close(): AsyncGenerator<Event, void, undefined> | undefined {
    const { invocation } = this;
    if (invocation === undefined || !this.hasBegun) return undefined;
    const context = invocation.root;
    const unclaimed = unclaimedResponses(context);
    const isTold = this.last !== undefined && isCancelledEnd(this.last);
    const isUntold = context.cancellation.isCancelled && !isTold;
    const cancelled = isUntold ? [endEvent(this.setting.root, context, 'CANCELLED')] : [];
    const events = unclaimed === undefined ? cancelled : [unclaimed, ...cancelled];
    return events.length === 0 ? undefined : this.append(events, context);
  }

  /** Undefined if there is nothing to wait for. */
  settle(failure: Failure | undefined): Promise<void> | undefined {
    const { invocation, last } = this;
    const { afterRun } = this.setting.hooks;
    if (invocation === undefined || afterRun === undefined) return undefined;
    return afterRun(failure === undefined ? { last } : { last, error: failure.error }, invocation.root);
  }

  /** Refuses further events of the run, and lets the next run of the session begin. */
  finish(): void {
    const { invocation, run } = this;
    const { runs, fence, compactor } = this.setting;
    this.unfollow?.();
    run.cancellation.cancel();
    invocation?.end();
    if (invocation !== undefined) fence.release(invocation.session);
    runs.leave(run);
    if (invocation !== undefined) compactor?.consider(invocation.session, (key) => runs.isBusy(key));
  }

  result(events: readonly Event[]): Promise<RunResult<Output>> {
    const { appName, root } = this.setting;
    const key = this.key ?? { appName, userId: '', sessionId: '' };
    const { invocation } = this;
    const waiting = invocation !== undefined && this.hasStopped ? openRequests(invocation) : NONE_OPEN;
    const { invocationId } = this.run;
    const concluded = invocation?.result;
    return resultOf(events, {
      root,
      key,
      invocationId,
      session: invocation?.session,
      concluded,
      waiting,
    });
  }

  reportUnheard(error: unknown): void {
    const { invocationId } = this.run;
    this.setting.services.logger.error('a run without a reader failed', { invocationId, error });
  }

  private async *append(
    events: readonly Event[],
    context: InvocationContext,
  ): AsyncGenerator<Event, void, undefined> {
    for (const event of events) yield (this.last = await context.append(event));
  }

  /** `CANCELLED` for a run that never began. It is not stored, because another run is active in the session. */
  private cancelledWaiting(): Event {
    const { invocationId } = this.run;
    const { root, services } = this.setting;
    const timestamp = services.clock.now();
    const event = (body: EventBody): Event => new Event(body, { invocationId, timestamp });
    return endEvent(root, { event }, 'CANCELLED');
  }
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
