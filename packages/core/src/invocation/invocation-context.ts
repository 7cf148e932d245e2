import type { Content } from '../content/genai-types.js';
import { Event, type EventBody } from '../events/event.js';
import { isWithin, type NodeInfo } from '../events/event-place.js';
import { findState, keyOf, type Session, type SessionKey } from '../events/session.js';
import { isJsonValue } from '../json/json-value.js';
import type { Answer, OpenRequest } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import type { AppendOptions } from '../sessions/session.service.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { StateLayers } from '../state/state.js';
import type { AgentNode, RunPlace } from './agent-node.js';
import type { AgentResult } from './agent-result.js';
import { runChild } from './agent-run.js';
import { runAll } from './run-all.js';
import type { InvocationBudget } from './budget.js';
import { Cancellation, InvocationCancelledError } from './cancellation.js';
import { OnceInvalidError } from './errors.js';
import type { Invocation } from './invocation.js';
import type { InvocationServices } from './invocation-services.js';
import { type LastStep, RunProgress } from './replay.js';
import type { CompleteRunConfig } from './run-config.js';
import {
  type AgentResults,
  findSubAgent,
  type InvokeAllOptions,
  type InvokeOptions,
  type SubAgent,
} from './sub-agent.js';

/** The place of a run, and what it continues. */
export interface ContextPlace extends RunPlace {
  readonly branch?: string | undefined;
  /** Whether the log holds the beginning of the run. Default: false. */
  readonly isResumed?: boolean;
  /** The run that began this one. Its cancellation and its message are this one's, unless it has its own. */
  readonly from?: InvocationContext | undefined;
  readonly cancellation?: Cancellation | undefined;
  readonly input?: string | undefined;
  /** The call that runs the agent as a tool. Default: that of the run that began this one. */
  readonly toolRun?: ToolRun | undefined;
}

/** What the events of an agent that runs as a tool bear. */
export interface ToolRun {
  readonly scope: string;
  readonly invocationId: string;
}

/** One run of one agent. The runs of an invocation share its session, services, budget and cancellation. */
export class InvocationContext implements StateLayers {
  readonly invocationId: string;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly budget: InvocationBudget;
  readonly cancellation: Cancellation;
  /** The message that the agent works on: the user's, without the secrets it may have brought, or an `input`. */
  readonly userContent: Content | undefined;
  /** The agent that runs, in its place in the tree. */
  readonly agent: AgentNode;
  /** The agents' names from the root down to this one, joined by `/`, with the numbers of repeated runs: `root/loop/draft@2`. */
  readonly path: string;
  /** Events of a parallel branch bear it; undefined outside. */
  readonly branch: string | undefined;
  /**
   * Whether the log holds the beginning of this run, which goes on after a pause or a crash.
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
   * The results that are this run's.
   *
   * @internal
   */
  concluded: AgentResult<unknown> | readonly AgentResult<unknown>[] | undefined;
  /** @internal */
  readonly toolRun: ToolRun | undefined;
  private readonly nodeInfo: NodeInfo;
  private ownProgress: RunProgress | undefined;

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
      input === undefined ? (from ?? invocation).userContent : { role: 'user', parts: [{ text: input }] };
    this.input = input;
    this.toolRun = toolRun;
    this.agent = agent;
    this.path = path;
    this.branch = branch;
    this.isResumed = isResumed;
    this.nodeInfo = { path };
  }

  get session(): Session {
    return this.invocation.session;
  }

  get sessionKey(): SessionKey {
    return keyOf(this.session);
  }

  get appName(): string {
    return this.session.appName;
  }

  get userId(): string {
    return this.session.userId;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /** The stored state, read anew each time, so that a reader sees what was written meanwhile. */
  get stored(): Readonly<Record<string, unknown>> {
    return this.session.state;
  }

  findStored(key: string): unknown {
    return findState(this.session, key);
  }

  /** `temp:` keys. */
  get temporary(): Readonly<Record<string, unknown>> {
    return this.invocation.temporary;
  }

  /**
   * Makes an event of this run, stamped with the runner's clock.
   *
   * @param content the content of the event, in place of that of the body, where it was read already
   */
  event(body: EventBody, content?: Content): Event {
    const { invocationId, branch, services, toolRun } = this;
    const nodeInfo = body.author === 'user' ? undefined : this.nodeInfo;
    const stamp = { invocationId, timestamp: services.clock.now(), branch, nodeInfo };
    return new Event(
      toolRun === undefined ? body : { isolationScope: toolRun.scope, ...body },
      stamp,
      content,
    );
  }

  /**
   * Runs a sub-agent. Yield all its events: `const result = yield* context.invoke(Draft);`. If it pauses, the run ends
   * at this line. When it goes on, with the answer or after a crash, this agent's `run` is called again from its top:
   * sub-agents that had ended return their recorded result at once, and the events that `run` itself had yielded are
   * not stored twice. So invoke sub-agents in an order that the code reproduces; {@link once} keeps what is random or
   * has an effect.
   *
   * @throws {NotASubAgentError} if the agent has no such sub-agent
   */
  invoke<Output = string>(
    child: SubAgent<Output>,
    { branch = this.branch, input }: InvokeOptions = {},
  ): AsyncGenerator<Event, AgentResult<Output>, undefined> {
    const context = this.contextOf(child, { branch, input });
    return runChild(context, this) as AsyncGenerator<Event, AgentResult<Output>, undefined>;
  }

  /**
   * Runs sub-agents side by side, each on a branch of its own: it sees the conversation so far, and nothing of the others.
   * Yield all events: `const [news, prices] = yield* context.invokeAll([News, Prices]);`. A sub-agent that fails stops
   * none of the others. If one pauses, the others go on to their ends, and then the run pauses. All share the state; two
   * that write one key are told in the log.
   *
   * @returns the results in the order of the sub-agents
   * @throws {NotASubAgentError} if the agent has no such sub-agent
   */
  invokeAll<const Children extends readonly SubAgent<unknown>[]>(
    children: Children,
    { concurrency, branch = branchOf(this), inputs, until }: InvokeAllOptions = {},
  ): AsyncGenerator<Event, AgentResults<Children>, undefined> {
    const contexts = children.map((child, index) =>
      this.contextOf(child, {
        branch: `${branch}.${String(index)}`,
        input: inputs?.[index],
        cancellation: new Cancellation(),
      }),
    );
    return runAll(this, contexts, { concurrency, until }) as AsyncGenerator<
      Event,
      AgentResults<Children>,
      undefined
    >;
  }

  /**
   * Makes the results of sub-agents this run's: one, or several together. Default: the last answer of the run.
   *
   * @internal
   */
  conclude(results: AgentResult<unknown> | readonly AgentResult<unknown>[] | undefined): void {
    this.concluded = results;
  }

  /**
   * An answer that the agent itself gives, such as by `afterAgent`, replaces what it concluded with.
   *
   * @internal
   */
  noteOwn({ nodeInfo, content, partial }: Event): void {
    if (this.concluded === undefined || partial) return;
    if (content !== undefined && nodeInfo?.path === this.path) this.concluded = undefined;
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
   * Calls a function once, and keeps its value in the log: when the run goes on after a pause or a crash, the value is
   * returned without a call. For what is random, depends on the time, or has an effect.
   *
   * @param key names the value within this run; the second call with the same key returns the first value
   * @returns the value, or null for undefined
   * @throws {OnceInvalidError} if the value is not plain JSON
   */
  once<Value>(key: string, make: () => Awaitable<Value>): Promise<Value> {
    if (typeof key !== 'string') return Promise.reject(new OnceInvalidError(this.path, key, 'has no key'));
    return this.progress.value(key, () => this.keep(key, make)) as Promise<Value>;
  }

  /**
   * Writes an event to the log before it is yielded, or without it being yielded.
   *
   * @returns the event as it is stored: without `temp:` keys
   * @throws {EventIdTakenError} for another event with the id of one that was written
   * @throws {InvocationCancelledError} after the end of the run, such as from an agent that was left behind
   * @throws {SessionTakenOverError} if a run of another process has taken the session over
   */
  append(event: Event, options?: AppendOptions): Promise<Event> {
    if (this.cancellation.isOver) return Promise.reject(new InvocationCancelledError());
    return this.isRepeated(event) ? Promise.resolve(event) : this.invocation.append(event, options);
  }

  /**
   * `append`, without a promise where the store needs none.
   *
   * @internal
   */
  store(event: Event): Awaitable<Event> {
    if (this.cancellation.isOver) throw new InvocationCancelledError();
    return this.isRepeated(event) ? event : this.invocation.store(event);
  }

  private isRepeated(event: Event): boolean {
    return this.isResumed && this.progress.isRepeated(event);
  }

  /**
   * Writes events that must stand in the log together before the first of them is seen.
   *
   * @internal
   */
  appendAhead(events: readonly Event[]): Promise<void> {
    return this.invocation.appendAhead(events);
  }

  /**
   * Summarises the conversation between two model calls, if it has outgrown its limit. Not for an agent on a branch of its
   * own, which others go on beside.
   *
   * @internal
   */
  compact(): Promise<void> | undefined {
    return this.branch === undefined ? this.invocation.compact(this.path) : undefined;
  }

  /**
   * The answers that this invocation brought for calls of this run.
   *
   * @internal
   */
  takeAnswers(): readonly Answer[] {
    return this.invocation.takeAnswers(this);
  }

  /**
   * What the run has done so far. Made when it is first needed: most agents invoke nobody.
   *
   * @internal
   */
  get progress(): RunProgress {
    return (this.ownProgress ??= new RunProgress(this, this.invocation.replay));
  }

  /**
   * The last event of this agent before its invocation paused or broke off.
   *
   * @internal
   */
  get lastStep(): LastStep | undefined {
    return this.invocation.replay?.lastStep(this.path);
  }

  /**
   * Whether this run, or one below it, waits for an answer.
   *
   * @internal
   */
  get isWaiting(): boolean {
    return PendingIndex.of(this.session).hasRequest((open) => this.isOwnRequest(open));
  }

  /**
   * The open requests of this run and of those below it, oldest first.
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

  private async keep(key: string, make: () => unknown): Promise<unknown> {
    const value = (await make()) ?? null;
    if (!isJsonValue(value))
      throw new OnceInvalidError(this.path, key, 'returned a value that is not plain JSON');
    await this.append(this.event({ author: this.agent.name, actions: { agentState: { [key]: value } } }));
    return value;
  }
}

function branchOf({ branch, agent }: InvocationContext): string {
  return branch === undefined ? agent.name : `${branch}.${agent.name}`;
}
