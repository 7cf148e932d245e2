import type { Compactor } from '../compaction/compactor.js';
import { functionResponsesOf } from '../content/content-parts.js';
import { type Message, toUserContent } from '../content/user-content.js';
import { Event, type EventBody } from '../events/event.js';
import { OpenRequests } from '../events/open-requests.js';
import type { AddressedRequest } from '../events/pending-request.js';
import type { Session, SessionKey } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { Cancellation } from '../invocation/cancellation.js';
import { InvocationContext } from '../invocation/invocation-context.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import {
  type CompleteRunConfig,
  DEFAULT_RUN_CONFIG,
  overlayRunConfig,
  requireOptions,
  type RunConfig,
  RunConfigInvalidError,
} from '../invocation/run-config.js';
import { assertName, assertSessionKey, checkName, checkSessionKey } from '../names/check-name.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { newInvocationId, newSessionId } from '../runtime/ids.js';
import { yieldedPiece } from '../sessions/lasting-event.js';
import { callerDelta } from '../state/caller-delta.js';
import { endEvent } from '../turn/limits.js';
import { abandonedCalls, unheardAnswers } from './unanswered-calls.js';
import { agentsToRun } from './agent-to-resume.js';
import { RunnerClosedError } from './errors.js';
import { type ReadAnswers, readAnswers } from './read-answers.js';
import { collectText } from './collect-text.js';
import { followSignal } from './follow-signal.js';
import { decisionInput, supplyInput } from './answer-input.js';
import { beginSession } from './begin-session.js';
import {
  type AnswerOptions,
  type ConversationAddress,
  OPTIONS,
  type ResultOptions,
  type RewindInput,
  type RunInput,
} from './run-input.js';
import { rewind } from './rewind.js';
import { Run } from './run.js';
import { RunQueue } from './run-queue.js';
import { SessionFence } from './session-fence.js';
import { takeMessage } from './take-message.js';
import { UntilCancelled } from './until-cancelled.js';

/** What a runner is made of. */
export interface RunnerFields {
  readonly appName: string;
  readonly root: AgentNode;
  readonly services: InvocationServices;
  readonly config?: RunConfig | undefined;
  readonly compactor?: Compactor | undefined;
  /** Lets go of all that was built for the runner. */
  readonly dispose: () => Promise<void>;
}

const DEFAULT_USER = 'user';

/** How long `close` waits for runs that were cancelled. */
const CLOSE_LIMIT_MS = 10_000;

/** Holds conversations with an agent tree: takes messages, and gives events that are stored already. */
export class Runner {
  readonly appName: string;
  /** The agent that hears the first message. */
  readonly root: AgentNode;
  private readonly services: InvocationServices;
  private readonly config: CompleteRunConfig;
  private readonly runs = new RunQueue();
  private readonly fence: SessionFence;
  private closing: Promise<void> | undefined;

  constructor(private readonly fields: RunnerFields) {
    this.appName = fields.appName;
    this.root = fields.root;
    this.services = fields.services;
    this.config = overlayRunConfig(DEFAULT_RUN_CONFIG, fields.config);
    this.fence = new SessionFence(this.services, this.root);
  }

  /**
   * Sends a text and gives the text of the answer.
   *
   * @throws {RunPausedError} where somebody has to be asked first
   * @throws {RunFailedError} where the run ended without an answer
   */
  async ask(
    message: Message,
    address: ConversationAddress & Pick<RunInput, 'config' | 'signal'> = {},
  ): Promise<string> {
    this.checkInput('ask', address);
    const { userId = DEFAULT_USER, sessionId = newSessionId() } = address;
    const key = { appName: this.appName, userId, sessionId };
    return collectText(key, this.run({ ...address, sessionId, message }));
  }

  /**
   * Sends a message and yields what happens, each event once it is stored; a piece of a streamed answer is not.
   * A session takes one run at a time: a second one waits for the first, or is refused (`RunConfig.whileActive`). A run
   * waits for its reader only while no other run waits for the session. Whoever stops reading cancels the run. A run
   * that is cancelled while it waits yields `CANCELLED`, and nothing of it is stored.
   *
   * @throws {InvocationCancelledError} if the run was cancelled and its store has not answered for two seconds
   * @throws {MessageInvalidError | StateDeltaRefusedError | RunConfigInvalidError | InvocationActiveError |
   * RequestNotPendingError | AnswerInvalidError} before anything is stored
   * @throws {SessionTakenOverError} if another process has begun a run in the session since
   */
  run(input: RunInput): AsyncGenerator<Event, void, undefined> {
    const { invocationId = newInvocationId() } = input;
    return new Run(invocationId, (run) => this.perform(run, input));
  }

  private async *perform(run: Run, input: RunInput): AsyncGenerator<Event, void, undefined> {
    if (this.closing !== undefined) throw new RunnerClosedError();
    this.checkInput('run', input);
    const message = toUserContent(input.message);
    const stateDelta = input.stateDelta === undefined ? undefined : callerDelta(input.stateDelta);
    const config = overlayRunConfig(this.config, input.config);
    const key = this.keyOf(input);
    checkSessionKey(key);
    checkName('id of an invocation', run.invocationId);
    const turn = this.runs.enter(run, key, { whileActive: config.whileActive, signal: input.signal });
    let unfollow = noop;
    let context: InvocationContext | undefined;
    let last: Event | undefined;
    try {
      unfollow = followSignal(run.cancellation, input.signal);
      const hasBegun = isPromiseLike(turn) ? await turn : turn;
      if (!hasBegun) return yield this.cancelledWaiting(run);
      const { sessions } = this.services;
      let session =
        (await sessions.getSession(key)) ??
        (await beginSession(sessions, key, functionResponsesOf(message)[0]?.id));
      let read = readAnswers(session, message);
      if (this.fence.unfinished(session) !== undefined) {
        const entered = await this.fence.enter(session, config, run.cancellation);
        if (entered === undefined) return yield this.cancelledWaiting(run);
        session = entered;
        read = readAnswers(session, message);
      }
      context = this.contextOf(run, config, session, read);
      for (const event of abandonedCalls(context, read)) {
        yield await context.append(event);
      }
      await takeMessage(context, stateDelta, read);
      for (const agent of agentsToRun(this.root, context)) {
        for await (const event of new UntilCancelled(agent.invoke(context), run.cancellation)) {
          last = event;
          yield event.partial ? yieldedPiece(event) : await context.append(event);
        }
      }
      for (const event of this.closingEvents(context, last)) {
        yield await context.append(event);
      }
    } finally {
      this.finish(run, context);
      unfollow();
    }
  }

  /** What waits for an answer in a conversation, oldest first. */
  async pending(address: ConversationAddress & { sessionId: string }): Promise<AddressedRequest[]> {
    this.checkInput('pending', address);
    const { userId = DEFAULT_USER, sessionId } = address;
    const { appName } = this;
    const session = await this.services.sessions.getSession({ appName, userId, sessionId });
    if (session === undefined) return [];
    const open = OpenRequests.of(session).list();
    return open.map(({ request, invocationId }) => ({
      ...request,
      appName,
      userId,
      sessionId,
      invocationId,
    }));
  }

  /** Lets a call run that waits for a yes. */
  approve(
    request: AddressedRequest,
    options: AnswerOptions & { readonly payload?: unknown } = {},
  ): AsyncGenerator<Event, void, undefined> {
    const decision = { confirmed: true, payload: options.payload };
    return this.answer(() => decisionInput('approve', request, decision, options));
  }

  /** Refuses a call; the model is told, with the reason where one is given. */
  reject(
    request: AddressedRequest,
    options: AnswerOptions & { readonly reason?: string } = {},
  ): AsyncGenerator<Event, void, undefined> {
    const decision = { confirmed: false, reason: options.reason };
    return this.answer(() => decisionInput('reject', request, decision, options));
  }

  /**
   * Hands in what a call waits for: a credential, or the result of a long-running tool, which may be followed by others
   * with `willContinue: true`. A credential never enters the log.
   */
  supply(
    request: AddressedRequest,
    value: unknown,
    options: AnswerOptions & ResultOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    return this.answer(() => supplyInput(request, value, options));
  }

  /**
   * Undoes an invocation and all that came after it: agents and `pending` see the conversation as it was before, and
   * the session's own state and artifacts are restored. The log keeps everything, and one event more, which is
   * returned: to undo the rewind, rewind to its `invocationId`. What tools did elsewhere is not undone.
   *
   * It waits for the run that is active in the session, as another run would, or is refused by the runner's
   * `whileActive`.
   *
   * @throws {AdornError} `INVOCATION_ACTIVE`, `INVOCATION_NOT_FOUND`, `SESSION_NOT_FOUND`, or `SESSION_CONFLICT`,
   * where another process has appended meanwhile; nothing is undone in any of these
   */
  async rewind(input: RewindInput): Promise<Event> {
    if (this.closing !== undefined) throw new RunnerClosedError();
    this.checkInput('rewind', input);
    const { userId = DEFAULT_USER, sessionId, invocationId } = input;
    const key = { appName: this.appName, userId, sessionId };
    assertSessionKey(key);
    assertName('id of an invocation', invocationId);
    const use = { invocationId: newInvocationId(), cancellation: new Cancellation(), detach: noop };
    const { whileActive } = this.config;
    if (!(await this.runs.enter(use, key, { whileActive }))) throw new RunnerClosedError();
    try {
      await this.fields.compactor?.cancel(key);
      return await rewind(this.services, key, { invocationId, rewindId: use.invocationId });
    } finally {
      this.runs.leave(use);
    }
  }

  /** Ends a run, active or waiting, with an event `CANCELLED`. False if there is no run of that id. */
  cancel(invocationId: string): boolean {
    return this.runs.cancel(invocationId);
  }

  /** Whether a run of that id is active, or waits for its session. */
  isActive(invocationId: string): boolean {
    return this.runs.has(invocationId);
  }

  /** The conversations of this runner, to be listed, loaded and deleted. */
  get sessions(): InvocationServices['sessions'] {
    return this.services.sessions;
  }

  /**
   * Cancels every run, waits until each has ended and its last event is stored, and disposes of what was built for the
   * runner. Agents get half a second to end; runs that have not ended after ten seconds, because a store does not
   * answer, are left behind with a warning. A summary that is under way gets ten seconds more: a process that answers
   * one message and ends would never keep one.
   */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    const left = await this.runs.cancelAll(CLOSE_LIMIT_MS);
    if (left.length > 0) this.services.logger.warn('runs did not end before the runner was closed', { left });
    await this.fields.compactor?.close();
    await this.fields.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async *answer(inputOf: () => RunInput): AsyncGenerator<Event, void, undefined> {
    yield* this.run(inputOf());
  }

  /** The events behind those of the agents: responses to unclaimed answers, and `CANCELLED`. */
  private closingEvents(context: InvocationContext, last: Event | undefined): Event[] {
    const unheard = unheardAnswers(context);
    const isUntold = context.cancellation.isCancelled && last?.errorCode !== 'CANCELLED';
    const cancelled = isUntold ? [endEvent(this.root, context, 'CANCELLED')] : [];
    return unheard === undefined ? cancelled : [unheard, ...cancelled];
  }

  /** `CANCELLED` for a run that never began; it is not stored, for another run is active in the session. */
  private cancelledWaiting({ invocationId }: Run): Event {
    const timestamp = this.services.clock.now();
    const event = (body: EventBody): Event => new Event(body, { invocationId, timestamp });
    return endEvent(this.root, { event }, 'CANCELLED');
  }

  private checkInput(method: 'run' | 'ask' | 'pending' | 'rewind', input: ConversationAddress): void {
    requireOptions(`runner.${method}`, input, OPTIONS[method]);
    const { appName = this.appName } = input;
    if (appName !== this.appName) throw RunConfigInvalidError.ofApp(method, appName, this.appName);
  }

  private keyOf({ userId = DEFAULT_USER, sessionId = newSessionId() }: RunInput): SessionKey {
    return { appName: this.appName, userId, sessionId };
  }

  private contextOf(
    { invocationId, cancellation }: Run,
    config: CompleteRunConfig,
    session: Session,
    { content: userContent, answers }: ReadAnswers,
  ): InvocationContext {
    const { services } = this;
    return new InvocationContext({
      invocationId,
      session,
      services,
      config,
      userContent,
      answers,
      cancellation,
    });
  }

  /** Nothing of the run is stored from now on, and the next run of the session begins. */
  private finish(run: Run, context: InvocationContext | undefined): void {
    run.cancellation.remove(run);
    run.cancellation.cancel();
    if (context !== undefined) {
      context.end();
      this.fence.release(context.session);
    }
    this.runs.leave(run);
    if (context !== undefined)
      this.fields.compactor?.consider(context.session, (key) => this.runs.isBusy(key));
  }
}

function noop(): void {
  // A rewind has no reader to wait for, and a run that has not begun no signal to let go of.
}
