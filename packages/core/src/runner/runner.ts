import type { Compactor } from '../compaction/compactor.js';
import { functionResponsesOf } from '../content/function-parts.js';
import type { Message } from '../content/user-content.js';
import { toUserContent } from '../content/user-content.js';
import type { Event } from '../events/event.js';
import { OpenRequests } from '../events/open-requests.js';
import type { AddressedRequest } from '../events/pending-request.js';
import type { Session } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { InvocationContext } from '../invocation/invocation-context.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import {
  type CompleteRunConfig,
  DEFAULT_RUN_CONFIG,
  overlayRunConfig,
  type RunConfig,
} from '../invocation/run-config.js';
import { newInvocationId, newSessionId } from '../runtime/ids.js';
import { endEvent } from '../turn/limits.js';
import { agentsToRun } from './agent-to-resume.js';
import { answerMessage } from './answer-message.js';
import { AnswerMisdirectedError } from './answer-misdirected.error.js';
import { collectText } from './collect-text.js';
import { ActiveInvocations } from './active-invocations.js';
import { followSignal } from './follow-signal.js';
import { openSession } from './open-session.js';
import { type ReadAnswers, readAnswers } from './read-answers.js';
import { InvocationActiveError } from './invocation-active.error.js';
import type { AnswerOptions, ConversationAddress, RewindInput, RunInput } from './run-input.js';
import { rewind } from './rewind.js';
import { RunnerClosedError } from './runner-closed.error.js';
import { takeMessage } from './take-message.js';
import { unheardAnswers } from './unheard-answers.js';
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

/** Holds conversations with an agent tree: takes messages, and gives events that are stored already. */
export class Runner {
  readonly appName: string;
  /** The agent that hears the first message. */
  readonly root: AgentNode;
  private readonly services: InvocationServices;
  private readonly config: CompleteRunConfig;
  private readonly active = new ActiveInvocations();
  private isClosed = false;

  constructor(private readonly fields: RunnerFields) {
    this.appName = fields.appName;
    this.root = fields.root;
    this.services = fields.services;
    this.config = overlayRunConfig(DEFAULT_RUN_CONFIG, fields.config);
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
    const { userId = DEFAULT_USER, sessionId = newSessionId() } = address;
    const key = { appName: this.appName, userId, sessionId };
    return collectText(key, this.run({ ...address, sessionId, message }));
  }

  /**
   * Sends a message and yields what happens, each event once it is stored; a piece of a streamed answer is not.
   * Whoever stops reading cancels the run.
   *
   * @throws {MessageInvalidError | RequestNotPendingError | AnswerInvalidError} before anything is stored
   */
  async *run(input: RunInput): AsyncGenerator<Event, void, undefined> {
    if (this.isClosed) throw new RunnerClosedError();
    const message = toUserContent(input.message);
    const session = await this.openSession(input, functionResponsesOf(message)[0]?.id);
    const read = readAnswers(session, message);
    const context = this.begin(input, session, read);
    const unfollow = followSignal(context, input.signal);
    let last: Event | undefined;
    try {
      await takeMessage(context, input, read);
      for (const agent of agentsToRun(this.root, context)) {
        for await (const event of new UntilCancelled(agent.invoke(context), context.cancellation)) {
          last = event;
          if (!event.partial) await context.append(event);
          yield event;
        }
      }
      for (const event of this.lastWords(context, last)) {
        await context.append(event);
        yield event;
      }
    } finally {
      this.active.end(context);
      unfollow();
      context.cancellation.cancel();
      this.fields.compactor?.consider(context.session, (key) => this.active.findIn(key) !== undefined);
    }
  }

  /** What waits for an answer in a conversation, oldest first. */
  async pending({
    userId = DEFAULT_USER,
    sessionId,
  }: ConversationAddress & { sessionId: string }): Promise<AddressedRequest[]> {
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
    return this.decide(request, { confirmed: true, payload: options.payload }, options);
  }

  /** Refuses a call; the model is told, with the reason where one is given. */
  reject(
    request: AddressedRequest,
    options: AnswerOptions & { readonly reason?: string } = {},
  ): AsyncGenerator<Event, void, undefined> {
    return this.decide(request, { confirmed: false, reason: options.reason }, options);
  }

  /** Hands in what a call waits for: a credential, or the result of a long-running tool. A credential never enters the log. */
  supply(
    request: AddressedRequest,
    value: unknown,
    options: AnswerOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    return this.answer(
      request,
      request.kind === 'credential' ? { credential: value } : asObject(value),
      options,
    );
  }

  /**
   * Undoes an invocation and all that came after it: agents and `pending` see the conversation as it was before, and
   * the session's own state and artifacts are restored. The log keeps everything, and one event more, which is
   * returned: to undo the rewind, rewind to its `invocationId`. What tools did elsewhere is not undone.
   *
   * @throws {AdornError} `INVOCATION_ACTIVE`, `INVOCATION_NOT_FOUND`, `SESSION_NOT_FOUND`, or `SESSION_CONFLICT`,
   * where something was appended meanwhile; nothing is undone in any of these
   */
  async rewind({ userId = DEFAULT_USER, sessionId, invocationId }: RewindInput): Promise<Event> {
    if (this.isClosed) throw new RunnerClosedError();
    const key = { appName: this.appName, userId, sessionId };
    const active = this.active.findIn(key);
    if (active !== undefined) throw InvocationActiveError.inSession(active);
    await this.fields.compactor?.cancel(key);
    return rewind(this.services, key, invocationId);
  }

  /** Ends a run with an event `CANCELLED`. False where no run of the id is going on. */
  cancel(invocationId: string): boolean {
    return this.active.cancel(invocationId);
  }

  isActive(invocationId: string): boolean {
    return this.active.has(invocationId);
  }

  /** The conversations of this runner, to be listed, loaded and deleted. */
  get sessions(): InvocationServices['sessions'] {
    return this.services.sessions;
  }

  /**
   * Cancels what is going on and disposes of what was built for the runner. A summary that is under way gets ten
   * seconds more: a process that answers one message and ends would never keep one.
   */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.active.cancelAll();
    await this.fields.compactor?.close();
    await this.fields.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async *decide(
    request: AddressedRequest,
    decision: Record<string, unknown>,
    options: AnswerOptions,
  ): AsyncGenerator<Event, void, undefined> {
    if (request.kind !== 'confirmation') {
      throw new AnswerMisdirectedError(request, 'it asks for no yes or no', 'Use runner.supply');
    }
    yield* this.answer(request, decision, options);
  }

  private async *answer(
    request: AddressedRequest,
    response: Record<string, unknown>,
    options: AnswerOptions,
  ): AsyncGenerator<Event, void, undefined> {
    const { userId, sessionId } = request;
    if (typeof sessionId !== 'string') {
      throw new AnswerMisdirectedError(request, 'it has no session', 'Take the request from runner.pending');
    }
    yield* this.run({ ...options, userId, sessionId, message: answerMessage(request, response, options) });
  }

  /** What has to be said when the agents are done: calls that nobody took up, and that the run was cancelled. */
  private lastWords(context: InvocationContext, last: Event | undefined): Event[] {
    const unheard = unheardAnswers(context);
    const isUntold = context.cancellation.isCancelled && last?.errorCode !== 'CANCELLED';
    const cancelled = isUntold ? [endEvent(this.root, context, 'CANCELLED')] : [];
    return unheard === undefined ? cancelled : [unheard, ...cancelled];
  }

  private openSession(
    { userId = DEFAULT_USER, sessionId = newSessionId() }: RunInput,
    answered: string | undefined,
  ): Promise<Session> {
    return openSession(this.services.sessions, { appName: this.appName, userId, sessionId }, answered);
  }

  private begin(input: RunInput, session: Session, { content, answers }: ReadAnswers): InvocationContext {
    const { invocationId = newInvocationId() } = input;
    const config = overlayRunConfig(this.config, input.config);
    const context = new InvocationContext({
      invocationId,
      session,
      services: this.services,
      config,
      userContent: content,
      answers,
    });
    this.active.begin(context);
    return context;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : { result: value };
}
