/* eslint-disable max-lines -- the steps of a run from its begin to its end, in their order */
import type { Part } from '../events/genai-types.js';
import { functionResponsesOf } from '../events/content-parts.js';
import { type EventActions, mergedWrites } from '../events/event-actions.js';
import { Event, type EventBody } from '../events/event.js';
import { runAgent } from '../run/agent-run.js';
import { followSignal, isCancelledEnd } from '../run/cancellation.js';
import { TRIPWIRE } from '../run/tripwire.js';
import { keyOf, logOf, type Session } from '../events/session.js';
import type { HeldRun } from '../events/run-record.js';
import type { Invocation } from '../run/invocation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { Replacement } from '../run/replacement.js';
import { MADE_BY_CALLBACK } from '../run/replay.js';
import type { InvocationChains } from '../log/invocation-chains.js';
import type { OpenRequest } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { yieldedPiece } from '../stores/sessions/session-record.js';
import type { GuardedObservation, OperationEnd } from '../run/telemetry/observation.js';
import { endEvent } from '../turn/turn-agent.js';
import { type Execute, type ExecutingRun, READER_STOPPED } from './begin/active-run.js';
import {
  checkedStart,
  type EnteredSession,
  enterSession,
  invocationOf,
  isCoded,
  newSession,
  type Start,
  startOf,
  takeMessage,
  takeOver,
  unlessRunCancelled,
} from './begin/begin-run.js';
import { callEvent, callToRun, type RequestedCall } from './begin/call-input.js';
import { isToCheck } from './answers/check-answers.js';
import { takeLiveAnswers } from './answers/live-answers.js';
import type { LiveSession } from './live/live.session.js';
import { entryAgents } from './begin/entry-agents.js';
import { InvocationRepeatedError, NothingToResumeError, RunnerClosedError } from './errors.js';
import { interruptedResponses, isSiblingPending, unclaimedEvents } from './recover/interrupted-run.js';
import type { Holder } from './begin/run-holds.js';
import type { RunPlace } from './run.js';
import type { RunHooks } from './run-hooks.js';
import { checkedRequest, type ExecutionInput, type RunRequest } from './begin/run-input.js';
import type { RunSetting } from './begin/run-setting.js';
import { Stage } from './stage.js';

/**
 * Executes one message, from its session to its closing events.
 *
 * @param inputOf may throw; the run then ends with the error
 */
export function executing(setting: RunSetting, inputOf: () => ExecutionInput): Execute {
  return (run) => {
    if (setting.isClosing()) throw new RunnerClosedError();
    const input = inputOf();
    const request = checkedRequest(setting, run.invocationId, input);
    const execution = new RunExecution(setting, run, request);
    const isAnswer = functionResponsesOf(request.message).length > 0;
    const live = isAnswer ? setting.lives.find(request.key) : undefined;
    // An answer goes to the live session that is open, and does not wait for its end.
    return live ? live.deliver(input).then(() => execution.place()) : execution.execute();
  };
}

class RunExecution implements Holder {
  private invocation: Invocation | undefined;
  private last: Event | undefined;
  /** True if the log holds a run of an agent that the code does not invoke any more. */
  private isTreeChanged = false;
  private start: Start | undefined;
  private taken: EnteredSession | undefined;
  /** The epoch after which the run could not take the session. */
  private refusedAfter: number | undefined;
  /** Thrown again if the run that took the session is this one, of another process. */
  private refusedBy: Error | undefined;

  constructor(
    private readonly setting: RunSetting,
    private readonly run: ExecutingRun,
    private readonly request: RunRequest,
  ) {}

  execute(): Promise<RunPlace> {
    const { request, run, setting } = this;
    const { observe } = setting.services;
    if (!observe) return this.complete();
    const { appName, userId, sessionId } = request.key;
    const { invocationId } = run;
    const observation = observe({ kind: 'run', appName, userId, sessionId, invocationId });
    return observation ? this.completeObserved(observation) : this.complete();
  }

  private async completeObserved(observation: GuardedObservation): Promise<RunPlace> {
    try {
      const place = await observation.within(() => this.complete());
      observation.end(this.endOf(place));
      return place;
    } catch (error) {
      observation.end(error === READER_STOPPED ? { status: 'cancelled' } : { status: 'failed', error });
      throw error;
    }
  }

  private endOf({ waiting }: RunPlace): OperationEnd {
    const errorCode = this.last?.errorCode;
    // A run that never had its session was cancelled while it waited.
    if (!this.invocation || errorCode === 'CANCELLED') return { status: 'cancelled' };
    if (errorCode !== undefined) return { status: 'failed', errorCode };
    return { status: waiting.length > 0 ? 'paused' : 'completed' };
  }

  private async complete(): Promise<RunPlace> {
    const { run, setting } = this;
    const { key, config, signal } = this.request;
    const unfollow = followSignal(run.cancellation, signal);
    try {
      const isNext = await setting.runs.enter(run, key, { whileActive: config.whileActive, signal });
      return await this.completeEntered(isNext);
    } finally {
      unfollow();
    }
  }

  /** @param isNext false if the run was cancelled while it waited for its session */
  private async completeEntered(isNext: boolean): Promise<RunPlace> {
    const { setting } = this;
    let failure: Failure | undefined;
    setting.holds.add(this);
    try {
      await (isNext ? this.runAgents() : this.cancelledWaiting());
    } catch (error) {
      failure = { error };
    }
    try {
      const { afterRun } = setting.hooks;
      const end = !failure || failure.error === READER_STOPPED ? {} : failure;
      if (afterRun && this.invocation) await afterRun({ last: this.last, ...end }, this.invocation.root);
    } finally {
      this.leave(failure);
    }
    if (failure) throw failure.error;
    return this.place();
  }

  /** From the message to the closing events. */
  private async runAgents(): Promise<void> {
    const start = await this.begin();
    const { invocation, request, run, setting } = this;
    if (!start || !invocation) return this.cancelledWaiting();
    const { beforeRun } = setting.hooks;
    const { chains, interrupted, session } = start;
    const { root } = invocation;
    let isIdle =
      request.kind === 'resume' &&
      interrupted.again.length === 0 &&
      (start.content === undefined || isSiblingPending(root, interrupted));
    // An approval of several was stored, and the call goes on waiting.
    if (start.answers.length === 0 && start.read.answers.length > 0) isIdle = true;
    if (!isIdle && beforeRun) isIdle = await this.isAnsweredBefore(beforeRun, invocation, chains);
    if (!isIdle) {
      const stage = new Stage(run, (event) => this.accept(event, root));
      const { live } = request;
      if (live) this.connectLive(live, invocation);
      await stage.until(() => this.perform(entryAgents(invocation, chains, this.isAsked(start)), stage));
    }
    this.refuseStopped();
    const closing = this.closingEvents(root);
    if (closing.length > 0) await this.emitAll(closing, root);
    if (request.kind === 'resume' && !invocation.log.hasWritten)
      throw NothingToResumeError.inSession(session.id);
  }

  /**
   * Takes the session and stores the message. If another process takes the session first, the run waits for that one and
   * begins again. Undefined if the run was cancelled while it waited.
   */
  private async begin(): Promise<Start | undefined> {
    const { request, run, setting } = this;
    const { sessions } = setting.services;
    let replaced: Replacement | undefined;
    for (;;) {
      const session = (await sessions.getSession(request.key)) ?? (await newSession(sessions, request));
      this.refuseRepeated(session);
      const entered = await enterSession(setting.fence, request, session, run.cancellation);
      if (!entered) return undefined;
      this.refuseStopped();
      try {
        let start = await this.take(entered);
        if (start.read.answers.some(isToCheck)) start = await checkedStart(setting, run, request, start);
        this.refuseStopped();
        this.invocation = invocationOf(setting, run, request, start, replaced?.content ?? start.content);
        replaced ??= await this.callOnUserMessage(start);
        if (!replaced) return undefined;
        await this.storeMessage(start, replaced);
        return (this.start = start);
      } catch (error) {
        if (!this.isOvertaken(error, entered.session)) throw error;
        this.refusedBy = error instanceof Error ? error : undefined;
        this.invocation?.end();
        this.invocation = undefined;
      }
    }
  }

  /** Refuses what has begun: by the run itself, of another process, or before a message that is to run once. */
  private refuseRepeated(session: Session): void {
    const { refusedBy, run } = this;
    const { config, kind } = this.request;
    const runsOnce = kind === 'message' && config.whenRepeated === 'refuse';
    if (
      (refusedBy || runsOnce) &&
      logOf(session).some(({ invocationId }) => invocationId === run.invocationId)
    )
      throw refusedBy ?? new InvocationRepeatedError(run.invocationId);
  }

  /** Takes the session at once if the run continues an interrupted one; else the run takes it with its first event. */
  private async take(entered: EnteredSession): Promise<Start> {
    const { request, run, setting } = this;
    const isMessage = request.kind === 'message';
    if (isMessage && !setting.fence.openRun(entered.session)) return startOf(setting.root, request, entered);
    this.taken = await takeOver(setting, run, request, entered);
    return startOf(setting.root, request, this.taken);
  }

  /** Calls `onUserMessage`. Undefined if the run was cancelled meanwhile. */
  private async callOnUserMessage(start: Start): Promise<Replacement | undefined> {
    const { invocation, request, run, setting } = this;
    const { onUserMessage } = setting.hooks;
    const isMessage = request.kind === 'message' && request.call === undefined;
    if (!isMessage || !onUserMessage || !invocation) return { content: undefined, actions: undefined };
    const replaced = await unlessRunCancelled(onUserMessage(start.read.content, invocation.root), run);
    if (replaced?.content !== undefined) {
      invocation.end();
      this.invocation = invocationOf(setting, run, request, start, replaced.content);
    }
    return replaced;
  }

  /** Stores the responses to interrupted calls, and the message. */
  private async storeMessage({ interrupted, read }: Start, replaced: Replacement): Promise<void> {
    const { invocation, request } = this;
    if (!invocation) return;
    const { root } = invocation;
    await this.emitAll(interruptedResponses(root, interrupted), root);
    if (request.kind !== 'message') return;
    const { stateDelta } = request;
    const actions = mergedWrites(stateDelta && { stateDelta }, replaced.actions);
    if (request.call) await this.storeCall(request.call, actions);
    else await takeMessage(root, actions, read, replaced.content ?? read.content, interrupted);
  }

  /** Stores a call that no model made, behind its message, as an answer for the agent whose tool it is. */
  private async storeCall(call: RequestedCall, actions: Partial<EventActions> | undefined): Promise<void> {
    const { invocation, request } = this;
    if (!invocation) return;
    const { root } = invocation;
    const { answering, channel } = request.answerer;
    const message = root.event({ author: 'user', actions }, request.message);
    const context = invocation.enter(call.agent, call.agent.path);
    const event = callEvent(context, call, { by: answering.principal.id, channel });
    await root.appendAhead([message, event]);
    const answer = callToRun(root, call);
    if (answer) invocation.addAnswer(answer);
    await this.emit(event, context);
  }

  /** True if another run has taken the session since it was read, and this one has not. */
  private isOvertaken(error: unknown, { lastRun }: Session): boolean {
    const isRecovery = this.request.recovers !== undefined;
    if (!isCoded(error, 'SESSION_TAKEN_OVER') || isRecovery || this.invocation?.log.epoch !== undefined)
      return false;
    const after = lastRun?.epoch ?? 0;
    const isNew = this.refusedAfter !== after;
    this.refusedAfter = after;
    return isNew;
  }

  /** True if the message is to be answered by a model: it is no call, and answers none. */
  private isAsked({ read }: Start): boolean {
    const { kind, call } = this.request;
    return kind !== 'resume' && call === undefined && read.answers.length === 0;
  }

  private async saveSpeech(name: string, part: Part): Promise<void> {
    const { artifacts, logger } = this.setting.services;
    const { invocationId } = this.run;
    try {
      await artifacts.save(this.request.key, `${invocationId}-${name}`, part);
    } catch (error) {
      logger.error('speech of a live session could not be saved', { invocationId, name, error });
    }
  }

  /** Connects a live session to the plugins, and to the answers of persons. */
  private connectLive(live: LiveSession, invocation: Invocation): void {
    const { onUserMessage } = this.setting.hooks;
    const { root } = invocation;
    this.setting.lives.add(this.request.key, live);
    live.line.recording?.begin((name, part) => this.saveSpeech(name, part));
    if (onUserMessage) live.line.onUserMessage = (message) => onUserMessage(message, root);
    live.answering = (input) => {
      const request = checkedRequest(this.setting, this.run.invocationId, input);
      return takeLiveAnswers(invocation, request, live.line.spoken);
    };
  }

  private refuseStopped(): void {
    if (this.run.hasStopped) throw READER_STOPPED;
  }

  private async perform(entries: Iterable<InvocationContext>, stage: Stage): Promise<void> {
    for (const entry of entries) {
      entry.invocation.result = undefined;
      await runAgent(entry, stage);
    }
  }

  /** Calls `beforeRun`. True if its answer is the run's, or if the run was cancelled meanwhile. */
  private async isAnsweredBefore(
    beforeRun: NonNullable<RunHooks['beforeRun']>,
    invocation: Invocation,
    chains: InvocationChains | undefined,
  ): Promise<boolean> {
    const [first = invocation.root] = entryAgents(invocation, chains, false);
    let answer: Replacement | undefined;
    try {
      answer = await unlessRunCancelled(beforeRun(first), this.run);
    } catch (error) {
      if (!first.endIfTripped(error)) throw error;
    }
    if (!answer) return true;
    const event = answerEvent(first, answer);
    if (event) await this.emit(event, invocation.root);
    return answer.content !== undefined;
  }

  private async emitAll(events: readonly Event[], context: InvocationContext): Promise<void> {
    for (const event of events) await this.emit(event, context);
  }

  private emit(event: Event, context: InvocationContext): Promise<void> {
    return this.run.emit(event, (one) => this.store(one, context));
  }

  /** Stores an event of an agent. Returns the event to show. */
  private async accept(event: Event, root: InvocationContext): Promise<Event> {
    if (!event.partial) return this.store(event, root);
    const { onEvent } = this.setting.hooks;
    return yieldedPiece(onEvent ? await onEvent(event, root) : event);
  }

  private async store(event: Event, context: InvocationContext): Promise<Event> {
    this.last = await context.store(event);
    if (this.last.errorCode === 'AGENT_TREE_CHANGED') this.isTreeChanged = true;
    return this.last;
  }

  /** Responses to unclaimed answers, and the end of a run that was cancelled or whose budget is spent. */
  private closingEvents(context: InvocationContext): Event[] {
    const end = this.untoldEnd(context);
    const unclaimed = unclaimedEvents(context, this.isTreeChanged);
    return end ? [...unclaimed, end] : unclaimed;
  }

  /** Undefined if the last event reports the end. */
  private untoldEnd(context: InvocationContext): Event | undefined {
    const { last } = this;
    const { root } = this.setting;
    if (context.cancellation.isCancelled)
      return last && isCancelledEnd(last) ? undefined : endEvent(root, context, 'CANCELLED');
    const { code: errorCode, message: errorMessage, tripwire } = context.spent ?? {};
    if (errorCode === undefined || last?.errorCode === errorCode) return undefined;
    const customMetadata = tripwire && { [TRIPWIRE]: tripwire };
    return context.event({ author: root.name, errorCode, errorMessage, customMetadata, turnComplete: true });
  }

  /** Refuses further events of the run, records its end, and lets the next run of the session begin. */
  private leave(failure: Failure | undefined): void {
    const { invocation, run } = this;
    const { runs, fence, holds, compactor, lives } = this.setting;
    const { heldRun } = this;
    holds.delete(this);
    if (this.request.live) lives.delete(this.request.key);
    run.cancellation.remove(run);
    if (failure) run.cancellation.cancel();
    else run.cancellation.end();
    invocation?.end();
    if (!invocation) {
      if (this.taken) fence.release(this.taken.session, this.taken.epoch);
    } else {
      const { session, log } = invocation;
      fence.release(session, log.epoch);
      if (log.epoch !== undefined && isOver(failure)) this.close(session, log.epoch);
    }
    if (heldRun && !isOver(failure)) this.giveUp(heldRun);
    runs.leave(run);
    if (invocation) compactor?.consider(invocation.session, (key) => runs.isBusy(key));
  }

  /** The run with its epoch, once it has taken its session. */
  get heldRun(): HeldRun | undefined {
    const epoch = this.invocation?.log.epoch ?? this.taken?.epoch;
    return epoch === undefined ? undefined : { ...this.request.key, id: this.run.invocationId, epoch };
  }

  cancelHeld(): void {
    this.run.cancellation.cancel();
  }

  /** Records the end of the run. */
  private close(session: Session, epoch: number): void {
    const { invocationId: id } = this.run;
    const status = this.openRequests().length > 0 ? 'paused' : 'ended';
    this.record(() => this.setting.services.sessions.closeRun(keyOf(session), { id, epoch }, status));
  }

  /** Records that this process does not go on with the run, which can be resumed. */
  private giveUp(run: HeldRun): void {
    this.record(() => this.setting.services.sessions.releaseRun(run));
  }

  /** Writes to the record of the run. Nobody waits for it but the runner's own `close`. */
  private record(write: () => Awaitable<void>): void {
    const { runs, services } = this.setting;
    const { invocationId } = this.run;
    const recording = async (): Promise<void> => {
      try {
        await write();
      } catch (error) {
        services.logger.warn('the end of a run could not be recorded', { invocationId, error });
      }
    };
    runs.await(recording());
  }

  /** The open requests of the run and of the runs that it continues. */
  private openRequests(): readonly OpenRequest[] {
    const { invocation, start } = this;
    if (!invocation) return NONE_OPEN;
    const open = PendingIndex.of(invocation.session).list();
    if (open.length === 0) return NONE_OPEN;
    const { invocationIds } = start?.chain ?? {};
    return open.filter((one) => invocation.continues(one) || invocationIds?.has(one.invocationId) === true);
  }

  place(): RunPlace {
    const { invocation, request, run, setting } = this;
    const concluded = invocation?.result;
    return {
      root: setting.root,
      key: request.key,
      invocationId: run.invocationId,
      concluded,
      waiting: this.openRequests(),
    };
  }

  /** `CANCELLED` or `TIME_LIMIT` for a run that never began. It is not stored, because another run is active in the session. */
  private cancelledWaiting(): Promise<void> {
    const { invocationId } = this.run;
    const { root, services } = this.setting;
    const timestamp = services.clock.now();
    const event = (body: EventBody): Event => new Event(body, { invocationId, timestamp });
    const end = endEvent(root, { event, budget: this.invocation?.budget }, 'CANCELLED');
    return this.run.emit(end, (one) => Promise.resolve(one));
  }
}

/** What a run threw. */
interface Failure {
  readonly error: unknown;
}

/** False if the run can be resumed: its reader has stopped, or a store has failed. */
function isOver(failure: Failure | undefined): boolean {
  return failure === undefined || failure.error instanceof NothingToResumeError;
}

const NONE_OPEN: readonly OpenRequest[] = Object.freeze([]);

/** Undefined if `beforeRun` neither answered nor wrote anything. */
function answerEvent(context: InvocationContext, { content, actions }: Replacement): Event | undefined {
  if (content === undefined && actions === undefined) return undefined;
  const author = context.agent.name;
  return context.event({ author, content, actions, customMetadata: { [MADE_BY_CALLBACK]: 'beforeRun' } });
}
