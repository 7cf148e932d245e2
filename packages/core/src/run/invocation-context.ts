/* eslint-disable max-lines -- what a run gives to what is below it is one object; half of the lines are comments */
import type { Principal } from '../approvals/principal.js';
import type { Content } from '../events/genai-types.js';
import { Event, type EventBody } from '../events/event.js';
import type { EventSink } from '../events/event-sink.js';
import { branchLabel, isWithin, type NodeInfo } from '../events/event-place.js';
import { describeThrown, frozenJson, isJsonValue } from '@adorn/schema';
import type { Tripwire } from './tripwire.js';
import { requesterToStore, withRequester } from '../events/requester.js';
import { findState, keyOf, type Session, type SessionKey } from '../events/session.js';
import type { Answer, OpenRequest } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import type { AppendOptions } from '../stores/sessions/session.service.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { ObservedRun } from './telemetry/observation.js';
import type { StateLayers } from '../events/state.js';
import type { AgentNode, AgentRun } from './agent-node.js';
import { type AgentQuestion, ask, type QuestionAnswer } from './agent-question.js';
import type { AgentFailure, AgentResult } from './agent-result.js';
import { runChild } from './agent-run.js';
import { runAll } from './run-all.js';
import type { InvocationBudget } from './budget.js';
import { Cancellation, InvocationCancelledError } from './cancellation.js';
import { EmittedEvents } from './emit-events.js';
import { OnceInvalidError } from './errors.js';
import type { Invocation } from './invocation.js';
import { type ContextKeeper, type InvocationServices, withSafeError } from './invocation-services.js';
import { type LastStep, RecordedProgress } from './replay.js';
import type { CompleteRunConfig } from './run-config.js';
import {
  type AgentResults,
  findSubAgent,
  INVOKE,
  INVOKE_ALL,
  type InvokeAllOptions,
  type InvokeOptions,
  requireInvokeOptions,
  type SubAgent,
} from './sub-agent.js';

/** The place of a run, and the run that it continues. */
export interface ContextPlace extends AgentRun {
  readonly branch?: string | undefined;
  /** True if the log contains the beginning of the run. Default: false. */
  readonly isResumed?: boolean;
  /** The run that began this one, which inherits its cancellation and its message, unless it has its own. */
  readonly from?: InvocationContext | undefined;
  readonly cancellation?: Cancellation | undefined;
  readonly input?: string | undefined;
  /** The call that runs the agent as a tool. Default: the call of the run that began this one. */
  readonly toolRun?: ToolRun | undefined;
}

/** The scope and invocation id in the events of an agent that runs as a tool. */
export interface ToolRun {
  readonly scope: string;
  readonly invocationId: string;
  /** See {@link InvocationContext.spent}. */
  spent?: AgentFailure | undefined;
}

/** One run of one agent. The runs of an invocation share its session, services, budget and cancellation. */
export class InvocationContext implements StateLayers {
  /** The id of the invocation: one message, with the answers to its requests. */
  readonly invocationId: string;
  /** The backends of the runner. */
  readonly services: InvocationServices;
  /** The `config` of the run, with all defaults. */
  readonly config: CompleteRunConfig;
  /** The remaining budget, shared by all agents of the invocation. */
  readonly budget: InvocationBudget;
  /** Ends the runs of the invocation, or of a branch of it. */
  readonly cancellation: Cancellation;
  /** The message that the agent works on: the user's, without secrets, or an `input`. */
  userContent: Content | undefined;
  /** The node of the running agent. */
  readonly agent: AgentNode;
  /** The agents' names from the root down to this one, joined by `/`, with the numbers of repeated runs: `root/loop/draft@2`. */
  readonly path: string;
  /** The branch in the events of a parallel run; undefined outside of branches. */
  readonly branch: string | undefined;
  /**
   * True if the log contains the beginning of this run, which resumes after a pause or a crash.
   *
   * @internal
   */
  readonly isResumed: boolean;
  /**
   * The message that this run was invoked with.
   *
   * @internal
   */
  readonly input: string | undefined;
  /**
   * The results that this run has adopted, see {@link conclude}.
   *
   * @internal
   */
  concluded: AgentResult<unknown> | readonly AgentResult<unknown>[] | undefined;
  /**
   * Whether the log has the end of the run: never for the run of an LLM agent that begins an invocation or takes over.
   *
   * @internal
   */
  ending: 'never' | 'open' | 'recorded' = 'never';
  /** @internal */
  readonly toolRun: ToolRun | undefined;
  private readonly nodeInfo: NodeInfo;
  /** The path of the run that the branch began with; undefined outside of branches. */
  private readonly branchStart: string | undefined;
  /** How many groups of runs it has begun side by side. */
  private groups = 0;
  private ownProgress: RecordedProgress | undefined;
  private questions = 0;

  constructor(
    /** @internal */
    readonly invocation: Invocation,
    {
      agent,
      path,
      branch,
      isResumed = false,
      from,
      cancellation,
      input,
      toolRun = from?.toolRun,
    }: ContextPlace,
  ) {
    this.invocationId = toolRun?.invocationId ?? invocation.invocationId;
    this.services = invocation.services;
    this.config = invocation.config;
    this.budget = invocation.budget;
    this.cancellation = cancellation ?? from?.cancellation ?? invocation.cancellation;
    this.userContent =
      input === undefined
        ? (from ?? invocation).userContent
        : frozenJson({ role: 'user', parts: [{ text: input }] });
    this.input = input;
    this.toolRun = toolRun;
    this.agent = agent;
    this.path = path;
    this.branch = branch;
    this.isResumed = isResumed;
    this.nodeInfo = { path };
    this.branchStart = branch === from?.branch ? from?.branchStart : path;
  }

  /**
   * True if no further events of the run are stored.
   *
   * @internal
   */
  get isOver(): boolean {
    return this.cancellation.isOver || this.invocation.log.isOver;
  }

  /** True in a live session, but not in an agent that runs as a tool there. */
  get isLive(): boolean {
    return this.invocation.live !== undefined && this.toolRun === undefined;
  }

  /** The session as last stored: a new object after each append. */
  get session(): Session {
    return this.invocation.session;
  }

  /** The address of the session. */
  get sessionKey(): SessionKey {
    return keyOf(this.session);
  }

  /** @internal */
  get observedRun(): ObservedRun {
    const { appName, userId, session, invocationId } = this;
    return { appName, userId, sessionId: session.id, invocationId };
  }

  /** The name of the application. */
  get appName(): string {
    return this.session.appName;
  }

  /** The user of the session. */
  get userId(): string {
    return this.session.userId;
  }

  /** Who began the run: a person, a service, a schedule. By default the user of the session. */
  get requester(): Principal {
    return this.invocation.requester;
  }

  /**
   * Aborted when the run is cancelled or fails, or leaves work behind, and not by the end of a run that ended well. Pass it to
   * whatever waits.
   */
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /** The stored state, read again on each access, so that it includes recent writes. */
  get stored(): Readonly<Record<string, unknown>> {
    const { state } = this.session;
    for (const key in state) this.invocation.log.noteRead(key);
    return state;
  }

  findStored(key: string): unknown {
    this.invocation.log.noteRead(key);
    return findState(this.session, key);
  }

  /** `temp:` keys. */
  get temporary(): Readonly<Record<string, unknown>> {
    return this.invocation.log.temporary;
  }

  /**
   * Creates an event of this run, with a timestamp of the runner's clock. An error text in it loses its secrets.
   *
   * @param content replaces the content of the body, if it has been read already
   */
  event(body: EventBody, content?: Content): Event {
    const { invocationId, branch, services, toolRun } = this;
    const isOfUser = body.author === 'user';
    const safe = withSafeError(isOfUser ? this.signed(body) : body, services.redaction);
    const nodeInfo = isOfUser ? undefined : this.nodeInfo;
    const stamp = { invocationId, timestamp: services.clock.now(), branch, nodeInfo };
    return new Event(toolRun ? { isolationScope: toolRun.scope, ...safe } : safe, stamp, content);
  }

  /** A message with who sent it, if that is not just the user of the session. */
  private signed(body: EventBody): EventBody {
    const requester = requesterToStore(this.requester, this.userId);
    const customMetadata = withRequester(body.customMetadata, requester);
    return customMetadata === body.customMetadata ? body : { ...body, customMetadata };
  }

  /**
   * Runs a sub-agent. Yield all its events: `const result = yield* context.invoke(Draft);`. If the sub-agent pauses, the run
   * ends at this line. When the run resumes, with the answer or after a crash, this agent's `run` is called again from the
   * top: sub-agents that had ended return their recorded result at once, and events that `run` itself had yielded are not
   * stored twice. So the order of invocations must be reproducible. Use {@link once} for random values and effects.
   *
   * @throws {NotASubAgentError} if the agent has no such sub-agent
   * @throws {RunConfigInvalidError} for an option that does not exist
   */
  invoke<Output = string>(
    child: SubAgent<Output>,
    options: InvokeOptions = {},
  ): AsyncGenerator<Event, AgentResult<Output>, undefined> {
    requireInvokeOptions('invoke', options, INVOKE);
    const { branch = this.branch, input } = options;
    const context = this.contextOf(child, { branch, input });
    return new EmittedEvents(context, (sink) => runChild(context, this, sink)) as EmittedEvents<
      AgentResult<Output>
    >;
  }

  /**
   * Runs sub-agents in parallel, each on a branch of its own: it sees the conversation so far, but not the other branches.
   * Yield all events: `const [news, prices] = yield* context.invokeAll([News, Prices]);`. A failing sub-agent does not stop
   * the others. If one pauses, the others continue to their ends, and then the run pauses. All share the state; if two
   * write the same key, a warning is logged.
   *
   * @returns the results in the order of the sub-agents
   * @throws {NotASubAgentError} if the agent has no such sub-agent
   * @throws {RunConfigInvalidError} for an option that does not exist
   */
  invokeAll<const Children extends readonly SubAgent<unknown>[]>(
    children: Children,
    options: InvokeAllOptions = {},
  ): AsyncGenerator<Event, AgentResults<Children>, undefined> {
    requireInvokeOptions('invokeAll', options, INVOKE_ALL);
    const { concurrency, branch, inputs, until } = options;
    const label = this.labelOfGroup(branch);
    const contexts = children.map((child, index) =>
      this.contextOf(child, {
        branch: `${label}.${String(index)}`,
        input: inputs?.[index],
        cancellation: new Cancellation(this.services.clock),
      }),
    );
    return new EmittedEvents(this, (sink) =>
      runAll(this, contexts, { concurrency, until }, sink),
    ) as unknown as EmittedEvents<AgentResults<Children>>;
  }

  /**
   * Adopts the results of sub-agents as this run's: one result, or several together. Default: the last answer of the run.
   *
   * @internal
   */
  conclude(results: AgentResult<unknown> | readonly AgentResult<unknown>[] | undefined): void {
    this.concluded = results;
  }

  /**
   * Discards the adopted results if the agent itself answers or fails, such as by `afterAgent`.
   *
   * @internal
   */
  noteOwn({ nodeInfo, content, errorCode, partial }: Event): void {
    if (!this.concluded || partial) return;
    const isResult = content !== undefined || errorCode !== undefined;
    if (isResult && nodeInfo?.path === this.path) this.concluded = undefined;
  }

  /** The branches of a new group of runs, without their index. */
  private labelOfGroup(branch: string | undefined): string {
    const { branchStart, path, agent } = this;
    const below = branchStart === undefined ? path : path.slice(branchStart.length + 1);
    const above = this.branch === undefined ? '' : `${this.branch}.`;
    return branchLabel(branch ?? `${above}${agent.name}`, below, ++this.groups);
  }

  private contextOf(
    child: SubAgent<unknown>,
    place: Pick<ContextPlace, 'branch' | 'input' | 'cancellation'>,
  ): InvocationContext {
    const agent = findSubAgent(this.agent, child);
    const path = this.progress.pathOfChild(agent.name);
    const isResumed = this.invocation.replay?.run(path) !== undefined;
    return new InvocationContext(this.invocation, { ...place, agent, path, isResumed, from: this });
  }

  /**
   * Calls a function once, and stores its value in the log: when the run resumes after a pause or a crash, the value is
   * returned without a call. For values that are random or depend on the time, and for effects.
   *
   * @param key names the value within this run; the second call with the same key returns the first value
   * @returns the value, or null for undefined
   * @throws {OnceInvalidError} if the value is not plain JSON
   */
  once<Value>(key: string, make: () => Awaitable<Value>): Promise<Value> {
    if (typeof key !== 'string') return Promise.reject(new OnceInvalidError(this.path, key, 'has no key'));
    return this.progress.value(key, () => this.storeOnce(key, make)) as Promise<Value>;
  }

  /**
   * Asks a person from the `run` of a composite: `const answer = yield* context.requestInput({ message: 'Which date?' });`.
   * The run ends at this line, as an `input` request of `runner.pending`. With its answer, `run` is called again from the
   * top, and the questions that were answered return at once. So the order of questions must be reproducible.
   *
   * @throws {OnceInvalidError} if the question is not plain JSON
   */
  requestInput(question: AgentQuestion): AsyncGenerator<Event, QuestionAnswer, undefined> {
    return ask(this, `adorn:question/${String(this.questions++)}`, question);
  }

  /**
   * Writes an event to the log before it is yielded, or without yielding it.
   *
   * @returns the stored event, without `temp:` keys
   * @throws {EventIdTakenError} if another event with the same id was written
   * @throws {InvocationCancelledError} after the end of the run, for example in an abandoned agent
   * @throws {SessionTakenOverError} if a run of another process has taken over the session
   */
  append(event: Event, options?: AppendOptions): Promise<Event> {
    if (this.cancellation.isOver) return Promise.reject(new InvocationCancelledError());
    return this.isRepeated(event) ? Promise.resolve(event) : this.invocation.log.append(event, options);
  }

  /**
   * Writes an event that `run` has not made, or that is known not to be a repeat.
   *
   * @internal
   */
  async store(event: Event): Promise<Event> {
    if (this.cancellation.isOver) throw new InvocationCancelledError();
    return this.invocation.log.append(event);
  }

  /**
   * True for an event of a resumed `run` that is not stored again.
   *
   * @internal
   */
  isRepeated(event: Event): boolean {
    return this.isResumed && this.progress.isRepeated(event, this.invocation.log.replacesEvents);
  }

  /**
   * Writes events that must all be in the log before the first of them is yielded.
   *
   * @internal
   */
  appendAhead(events: readonly Event[]): Promise<void> {
    return this.invocation.log.appendAhead(events);
  }

  /**
   * Reads what was sent to the run by `runner.send`, between two model calls. Undefined if nothing was, on a branch, because
   * calls of others may be under way, and in an agent that runs as a tool, whose call is under way.
   *
   * @internal
   */
  takeMail(sink: EventSink): Promise<void> | undefined {
    const { invocation, branch, toolRun } = this;
    if (invocation.mail?.isDue !== true || branch !== undefined || toolRun !== undefined) return undefined;
    return this.budget.hasLlmCall ? invocation.mail.take(invocation, sink) : undefined;
  }

  /**
   * Summarises the conversation between two model calls, if it exceeds its limit. Does nothing on a branch, because
   * parallel branches continue.
   *
   * @internal
   */
  compact(): Promise<void> | undefined {
    return this.branch === undefined ? this.invocation.compact(this.path) : undefined;
  }

  /**
   * Asks for a summary before the next request of the run.
   *
   * @internal
   */
  askForSummary(): void {
    this.invocation.isSummaryAsked = true;
  }

  /**
   * Keeps requests within the contexts of models; undefined if they are sent however long they are.
   *
   * @internal
   */
  get keeper(): ContextKeeper | undefined {
    return this.services.dryRun ? undefined : this.invocation.keeper;
  }

  /**
   * Does work on the conversation while no other agent of the invocation does such work.
   *
   * @internal
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.invocation.alone(work);
  }

  /**
   * Writes an event that shortens the conversation.
   *
   * @internal
   */
  async appendShortening(event: Event): Promise<void> {
    await this.invocation.log.appendUnchanged(event);
  }

  /**
   * Takes the answers to calls of this run.
   *
   * @internal
   */
  claimAnswers(): readonly Answer[] {
    return this.invocation.claimAnswers(this);
  }

  /**
   * The progress of the run. Created on first access, because most agents invoke no other.
   *
   * @internal
   */
  get progress(): RecordedProgress {
    return (this.ownProgress ??= new RecordedProgress(this, this.invocation.replay));
  }

  /**
   * The limit of the budget that ended an agent of the invocation, or of the tool's run that this run is part of: the agents
   * above it stop, as after a cancellation.
   *
   * @internal
   */
  get spent(): AgentFailure | undefined {
    return this.toolRun?.spent ?? this.invocation.spent;
  }

  /**
   * Ends the whole run if the error is the refusal of a guardrail: also the agents above one that runs as a tool.
   *
   * @internal
   */
  endIfTripped(error: unknown): boolean {
    const { code, message } = describeThrown(error);
    if (code !== 'GUARDRAIL_TRIPPED') return false;
    const { tripwire } = error as { readonly tripwire?: Tripwire };
    this.invocation.spent = { code, message, tripwire };
    return true;
  }

  /** @internal */
  noteSpent(limit: AgentFailure): void {
    (this.toolRun ?? this.invocation).spent = limit;
  }

  /**
   * The last event of this agent before its invocation paused or was interrupted.
   *
   * @internal
   */
  get lastStep(): LastStep | undefined {
    return this.invocation.replay?.lastStep(this.path);
  }

  /**
   * True if this run, or a run below it, waits for an answer.
   *
   * @internal
   */
  get isWaiting(): boolean {
    return PendingIndex.of(this.session).hasRequest((open) => this.isOwnRequest(open));
  }

  /**
   * The open requests of this run and of the runs below it, oldest first.
   *
   * @internal
   */
  get openRequests(): readonly OpenRequest[] {
    return PendingIndex.of(this.session)
      .list()
      .filter((open) => this.isOwnRequest(open));
  }

  private isOwnRequest(open: OpenRequest): boolean {
    return open.path !== undefined && isWithin(open.path, this.path) && this.invocation.continues(open);
  }

  private async storeOnce(key: string, make: () => unknown): Promise<unknown> {
    const value = (await make()) ?? null;
    if (!isJsonValue(value))
      throw new OnceInvalidError(this.path, key, 'returned a value that is not plain JSON');
    await this.store(this.event({ author: this.agent.name, actions: { agentState: { [key]: value } } }));
    return value;
  }
}
