import type { Compactor } from '../compaction/compactor.js';
import { functionResponsesOf } from '../content/content-parts.js';
import { toUserContent } from '../content/user-content.js';
import type { EventActions } from '../events/event-actions.js';
import { Event, type EventBody } from '../events/event.js';
import type { Session, SessionKey } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { InvocationContext } from '../invocation/invocation-context.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import { type CompleteRunConfig, overlayRunConfig } from '../invocation/run-config.js';
import { checkName, checkSessionKey } from '../names/check-name.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { newSessionId } from '../runtime/ids.js';
import { yieldedPiece } from '../sessions/persisted-event.js';
import { callerDelta } from '../state/caller-delta.js';
import { endEvent } from '../turn/limits.js';
import { agentsToRun } from './agent-to-resume.js';
import { beginSession } from './begin-run.js';
import { RunnerClosedError } from './errors.js';
import type { ResultExecution } from './active-run.js';
import type { Failure } from './execution-driver.js';
import { followSignal } from '../invocation/cancellation.js';
import { inputChecks, type ReadAnswers, readAnswers, type SignedAnswers } from './read-answers.js';
import type { RunResult } from './run.js';
import type { HookAnswer, RunHooks } from './run-hooks.js';
import { resultOf } from './run-result.js';
import { DEFAULT_USER, type DefaultUserWarning } from './default-user.js';
import { requireInput, type RunInput } from './run-input.js';
import type { RunQueue, SessionUse } from './run-queue.js';
import type { SessionFence } from './session-fence.js';
import { takeMessage } from './begin-run.js';
import { abandonedCalls, unheardAnswers } from './unanswered-calls.js';

/** What the runs of a runner share. */
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
export class RunExecution<Output> implements ResultExecution<Output> {
  waitsForAgent = false;
  private isClosed = false;
  private context: InvocationContext | undefined;
  private key: SessionKey | undefined;
  private last: Event | undefined;
  /** Whether anything of the run may be stored: the message was not refused. */
  private hasBegun = false;
  private unfollow: (() => void) | undefined;

  /** @param inputOf may throw; the run then ends with the error */
  constructor(
    private readonly setting: RunSetting,
    private readonly run: SessionUse,
    private readonly inputOf: () => RunInput,
  ) {}

  async *perform(): AsyncGenerator<Event, void, undefined> {
    const { setting, run } = this;
    const { hooks } = setting;
    if (setting.isClosing()) throw new RunnerClosedError();
    const input = this.inputOf();
    requireInput('run', input, setting.appName);
    const message = toUserContent(input.message);
    const stateDelta = input.stateDelta === undefined ? undefined : callerDelta(input.stateDelta);
    const config = overlayRunConfig(setting.config, input.config);
    const { userId = DEFAULT_USER, sessionId = newSessionId(), signal } = input;
    const key = (this.key = { appName: setting.appName, userId, sessionId });
    checkSessionKey(key);
    if (input.userId === undefined && input.sessionId !== undefined) setting.defaultUser.note(sessionId);
    checkName('id of an invocation', run.invocationId);
    const turn = setting.runs.enter(run, key, { whileActive: config.whileActive, signal });
    this.unfollow = followSignal(run.cancellation, signal);
    const isNext = isPromiseLike(turn) ? await turn : turn;
    if (!isNext) return yield this.cancelledWaiting();
    const { sessions } = setting.services;
    let session =
      (await sessions.getSession(key)) ??
      (await beginSession(sessions, key, functionResponsesOf(message)[0]?.id));
    const answerer = this.answererOf(input, userId);
    const inputs = functionResponsesOf(message).length === 0 ? undefined : await inputChecks(session);
    let read = readAnswers(session, message, answerer, inputs);
    if (setting.fence.unfinished(session) !== undefined) {
      const entered = await setting.fence.enter(session, config, run.cancellation);
      if (entered === undefined) return yield this.cancelledWaiting();
      session = entered;
      read = readAnswers(session, message, answerer, inputs);
    }
    let context = (this.context = this.contextOf(config, session, read));
    let actions: Partial<EventActions> | undefined = stateDelta && { stateDelta };
    if (hooks.onUserMessage !== undefined) {
      const heard = await this.hear(hooks.onUserMessage(read.content, context));
      if (heard === undefined) return yield this.cancelledWaiting();
      actions = mergedActions(actions, heard.actions);
      if (heard.content !== undefined) {
        read = { ...read, content: heard.content };
        context = this.context = this.contextOf(config, session, read);
      }
    }
    this.hasBegun = true;
    for (const event of abandonedCalls(context, read)) {
      yield await context.append(event);
    }
    await takeMessage(context, actions, read);
    if (hooks.beforeRun !== undefined) {
      const [agent = setting.root] = agentsToRun(setting.root, context);
      const answer = await this.hear(hooks.beforeRun(agent, context));
      if (answer === undefined) return;
      const event = answerEvent(context, agent, answer);
      if (event !== undefined) yield (this.last = await context.append(event));
      if (answer.content !== undefined) return;
    }
    for (const agent of agentsToRun(setting.root, context)) {
      this.waitsForAgent = true;
      for await (const event of agent.invoke(context)) {
        if (this.isClosed) return;
        if (event.partial) {
          yield yieldedPiece(hooks.onEvent === undefined ? event : await hooks.onEvent(event, context));
          continue;
        }
        this.waitsForAgent = false;
        const stored = (this.last = await context.append(event));
        this.waitsForAgent = true;
        yield stored;
      }
    }
  }

  /** Responses to unclaimed answers, and `CANCELLED`. */
  close(): AsyncGenerator<Event, void, undefined> | undefined {
    this.isClosed = true;
    const { context } = this;
    if (context === undefined || !this.hasBegun) return undefined;
    const unheard = unheardAnswers(context);
    const isUntold = context.cancellation.isCancelled && this.last?.errorCode !== 'CANCELLED';
    const cancelled = isUntold ? [endEvent(this.setting.root, context, 'CANCELLED')] : [];
    const events = unheard === undefined ? cancelled : [unheard, ...cancelled];
    return events.length === 0 ? undefined : this.append(events, context);
  }

  /** Undefined if there is nothing to wait for. */
  settle(failure: Failure | undefined): Promise<void> | undefined {
    const { context, last } = this;
    const { afterRun } = this.setting.hooks;
    if (context === undefined || afterRun === undefined) return undefined;
    return afterRun(failure === undefined ? { last } : { last, error: failure.error }, context);
  }

  /** Nothing of the run is stored from now on, and the next run of the session begins. */
  finish(): void {
    const { context, run } = this;
    const { runs, fence, compactor } = this.setting;
    this.unfollow?.();
    run.cancellation.cancel();
    context?.end();
    if (context !== undefined) fence.release(context.session);
    runs.leave(run);
    if (context !== undefined) compactor?.consider(context.session, (key) => runs.isBusy(key));
  }

  result(events: readonly Event[]): Promise<RunResult<Output>> {
    const { appName, root } = this.setting;
    const key = this.key ?? { appName, userId: '', sessionId: '' };
    return resultOf(events, { root, key, invocationId: this.run.invocationId });
  }

  reportUnheard(error: unknown): void {
    const { invocationId } = this.run;
    this.setting.services.logger.error('a run failed, and nobody reads it', { invocationId, error });
  }

  /** Undefined if the run was cancelled meanwhile. */
  private async hear(answering: Promise<HookAnswer>): Promise<HookAnswer | undefined> {
    try {
      return await answering;
    } catch (error) {
      if (this.run.cancellation.isCancelled) return undefined;
      throw error;
    }
  }

  private async *append(
    events: readonly Event[],
    context: InvocationContext,
  ): AsyncGenerator<Event, void, undefined> {
    for (const event of events) yield (this.last = await context.append(event));
  }

  private contextOf(
    config: CompleteRunConfig,
    session: Session,
    { content: userContent, answers }: ReadAnswers,
  ): InvocationContext {
    const { invocationId, cancellation } = this.run;
    const { services, hooks } = this.setting;
    return new InvocationContext({
      invocationId,
      session,
      services,
      config,
      userContent,
      answers,
      cancellation,
      replaceEvent: hooks.onEvent,
    });
  }

  private answererOf({ by, channel, remember }: RunInput, userId: string): SignedAnswers {
    return { by: by ?? userId, channel, remember, at: this.setting.services.clock.now() };
  }

  /** `CANCELLED` for a run that never began; it is not stored, for another run is active in the session. */
  private cancelledWaiting(): Event {
    const { invocationId } = this.run;
    const { root, services } = this.setting;
    const timestamp = services.clock.now();
    const event = (body: EventBody): Event => new Event(body, { invocationId, timestamp });
    return endEvent(root, { event }, 'CANCELLED');
  }
}

/** What callbacks wrote is laid over what the caller wrote. */
function mergedActions(
  called: Partial<EventActions> | undefined,
  written: Partial<EventActions> | undefined,
): Partial<EventActions> | undefined {
  if (called === undefined || written === undefined) return written ?? called;
  return { ...called, ...written, stateDelta: { ...called.stateDelta, ...written.stateDelta } };
}

/** Undefined if `beforeRun` neither answered nor wrote anything. */
function answerEvent(
  context: InvocationContext,
  { name: author }: AgentNode,
  { content, actions }: HookAnswer,
): Event | undefined {
  if (content === undefined && actions === undefined) return undefined;
  return context.event({ author, ...(content !== undefined && { content }), actions });
}
