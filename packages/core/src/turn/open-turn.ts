import { describeThrown, present } from '@adorn/schema';

import type { EventActions } from '../events/event-actions.js';
import type { EventSink } from '../events/event-sink.js';
import type { Event, EventBody } from '../events/event.js';
import type { Content, FunctionCall } from '../events/genai-types.js';
import { isRemark } from '../events/remark.js';
import { SENT_AS } from '../events/mail.js';
import { type ChangedResponses, withChanges } from '../events/responses-for-model.js';
import { logOf } from '../events/session.js';
import type { ToolOutcome } from '../gates/tool-call.js';
import { isSaidBefore, SAID_BEFORE } from '../log/said-before.js';
import { AgentContext } from '../run/agent-context.js';
import { recordedCalls, recordedSpending } from '../run/budget.js';
import { CallbackContext } from '../run/callback-context.js';
import { InvocationCancelledError } from '../run/cancellation.js';
import type { Performed } from '../run/emit-events.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { GuardedObservation, ObservedModel } from '../run/telemetry/observation.js';
import { TRIPWIRE, tripwireOf } from '../run/tripwire.js';
import { newEventId } from '../runtime/ids.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { ToolTable } from '../tools/tool-table.js';
import { openedNames } from '../tools/toolsets/opened-tools.js';
import { isToolCall, type ResolvedCall, resolveCall, type Resumption, resumptionOf } from './call-batch.js';
import { type CalledBack, callCallback } from './call-callback.js';
import { CallIds } from './call-ids.js';
import { longRunningOf, readCalls } from './call-model.js';
import { withCodeCalls } from './code-calls.js';
import { eventsOfListing, listForTurn, listToolsets, type ToolsetListing } from './list-toolsets.js';
import type { LiveCallbacks } from './live-callbacks.js';
import type { TurnModelRequest } from './model-request.js';
import { withOutput } from './response-to-event.js';
import { respondToEnded } from './run-calls.js';
import { runTransfer } from './run-transfer.js';
import { endWith, type Step, type Turn } from './step.js';
import { endResponse, type PlannedAgent } from './turn-agent.js';

/** What a model has said, as the fields of an event. */
export type Said = Omit<EventBody, 'author'>;

/** The calls of a response of a model, as one event has them. */
export interface SaidCalls {
  /** The id of the event. */
  readonly id: string;
  /** What the model has said, with the ids of its calls. */
  readonly content: Content | undefined;
  /** The calls, in the order of the content. */
  readonly calls: readonly ResolvedCall[];
  /** Ids of calls whose responses come in a later event. */
  readonly longRunningToolIds: readonly string[];
}

/** A call that has ended, or has an interim response. */
export interface EndedCall {
  /** The call, or the response that it has already. */
  readonly call: ResolvedCall;
  /** The event that holds the call. */
  readonly origin: Event;
  /** How it has ended, or why it waits. */
  readonly outcome: ToolOutcome;
  /** Ids of other calls that go on. */
  readonly running: readonly string[];
}

/** Where the words of a user come from, beside the microphone. */
export interface MessagePlace {
  /** The id of the stored event that answers the words, if there is one. */
  readonly before?: string | undefined;
  /** The id of the mail. */
  readonly mail?: string | undefined;
}

/**
 * The turn of an agent whose model stays connected, such as that of a live session: requests, callbacks, calls and events are
 * those of a text run, and whoever holds the turn decides when each is due. The counterpart of `runTurns`.
 */
export class OpenTurn {
  /** The context of the agent's run. */
  readonly context: InvocationContext;
  /** Where the events of the agent go. */
  readonly sink: EventSink;
  private readonly planned: PlannedAgent;

  constructor(
    private readonly turn: Turn,
    /** The callbacks of the agent that only a live session has. Default: none. */
    readonly callbacks: LiveCallbacks = {},
  ) {
    this.planned = turn.agent;
    this.context = turn.context;
    this.sink = turn.sink;
  }

  /** The agent, with the callbacks of its model. */
  get agent(): Pick<PlannedAgent, 'name' | 'path' | 'model' | 'callbacks'> {
    return this.planned;
  }

  // Requests.

  /** The request of a text run at this moment. */
  async request(): Promise<TurnModelRequest> {
    return this.planned.requests.build(this.context, await this.listed());
  }

  /** The request with which a connection begins. What there is to say of toolsets is stored. */
  async firstRequest(): Promise<TurnModelRequest> {
    const listing = await this.listed();
    if (listing) {
      const { events } = await eventsOfListing(listing, this.planned, this.context);
      for (const event of events) await this.sink.emit(event);
    }
    return this.planned.requests.build(this.context, listing);
  }

  /** True if tools or instructions add contents to requests. */
  get isAddedTo(): boolean {
    const { toolsets, turn, tools } = this.planned;
    if (toolsets.length > 0 || turn.staticInstruction !== undefined) return true;
    return tools.tools.some((tool) => tool.processRequest !== undefined);
  }

  /** Which closed tools are open: another text after others were opened. Empty for an agent without closed tools. */
  get opened(): string {
    const { boxes } = this.planned;
    return boxes.length > 0 ? openedNames(boxes, this.context).join() : '';
  }

  /** The request whose tools run the code that a content has; undefined if it has none. */
  async requestWithCode(content: Content): Promise<TurnModelRequest | undefined> {
    const { tools, toolsets } = this.planned;
    if (tools.codeTools.length === 0 && toolsets.length === 0) return undefined;
    const request = await this.request();
    return withCodeCalls(content, request) === content ? undefined : request;
  }

  private async listed(): Promise<ToolsetListing | undefined> {
    return this.planned.toolsets.length > 0 ? listToolsets(this.planned, this.context) : undefined;
  }

  /**
   * The tools of the agent and its toolsets, for calls that no model makes; or the step that ends the turn, because a toolset has
   * failed or needs a credential.
   */
  async listTools(): Promise<{ readonly tools: ToolTable } | Step> {
    return this.planned.toolsets.length > 0 ? listForTurn(this.turn) : { tools: this.planned.tools };
  }

  /** The text that the agent was invoked with. */
  get input(): string {
    return this.context.input ?? '';
  }

  // Calls.

  /** Takes the answers that have come to the agent's own earlier calls. */
  resumption(): Promise<Resumption> {
    return resumptionOf(this.planned, this.context);
  }

  /** Reads the calls of what the model has said. Code that a tool can run becomes a call. */
  readCalls(said: Said, request: TurnModelRequest): SaidCalls {
    const id = newEventId();
    const { content, calls } = readCalls(said, request, id, new CallIds(this.context.invocation));
    return { id, content, calls, longRunningToolIds: longRunningOf(calls) };
  }

  /** Stores calls that no model has made with one event. @returns the step that runs them */
  async storeCalls(made: readonly Pick<FunctionCall, 'name' | 'args'>[], tools: ToolTable): Promise<Step> {
    const { context, planned, sink } = this;
    const parts = made.map(({ name, args }) => ({ functionCall: { name, args } }));
    const content = new CallIds(context.invocation).ofWhole({ role: 'model', parts });
    const id = newEventId();
    const calls = (content.parts ?? []).map(({ functionCall = {} }) =>
      resolveCall(planned, context, tools, id, functionCall),
    );
    const longRunningToolIds = longRunningOf(calls);
    const body = { id, author: planned.name, longRunningToolIds, customMetadata: recordedCalls(0) };
    const event = context.event(body, content);
    await sink.emit(event);
    return { kind: 'calls', batch: { origins: [event], calls } };
  }

  /** True for a stored event of this run of the agent, among those of others in the session. */
  isOwn({ isolationScope, nodeInfo }: Event): boolean {
    const { toolRun, path } = this.context;
    return isolationScope === toolRun?.scope && nodeInfo?.path === path;
  }

  /**
   * Starts calls. Each passes the gates.
   *
   * @param sink where the events of tools go
   * @param settled called with each outcome
   */
  dispatch(
    calls: readonly ResolvedCall[],
    sink: EventSink,
    settled: (call: ResolvedCall, outcome: ToolOutcome) => void,
  ): void {
    const ready = calls.filter(isToolCall);
    if (ready.length === 0) return;
    const { toolConcurrency } = this.context.config;
    void this.planned.dispatcher.dispatchAll(ready, sink, toolConcurrency, sink, settled);
  }

  /**
   * Stores the event with the response to a call, after the request to a person if there is one.
   *
   * @param change what callbacks make of the response. Default: it is stored as it is
   * @returns the stored event, and the step that it leads to
   */
  respond(
    { call, origin, outcome, running }: EndedCall,
    change?: (response: Event) => Promise<ChangedResponses>,
  ): Promise<{ readonly response: Event; readonly after: Step }> {
    const isReached = isToolCall(call);
    const own: Turn = isReached
      ? { ...this.turn, agent: call.agent as PlannedAgent, context: call.invocation }
      : this.turn;
    const ended = {
      batch: { origins: [origin], calls: [call], running },
      outcomes: isReached ? [outcome] : [],
    };
    return respondToEnded(ended, own, change && (async (event) => withChanges(event, await change(event))));
  }

  // Steps.

  /** Hands over to another agent, or runs the one that is called. Undefined if this agent goes on. */
  async transfer(step: Extract<Step, { kind: 'transfer' }>, sink: EventSink): Promise<Performed | undefined> {
    const after = await runTransfer(step, { ...this.turn, sink });
    return after.kind === 'over' ? after.performed : undefined;
  }

  /** Counts a call of the model. @returns the end of the turn if the budget has none left */
  spendCall(): Step | undefined {
    const { context, turn } = this;
    const end = context.budget.spendLlmCall(context);
    if (end === undefined) return undefined;
    context.noteSpent({ code: end, message: endResponse(end).errorMessage });
    return endWith(end, turn);
  }

  /** True after a limit of the run's budget is reached, or a guardrail has refused something. */
  get isSpent(): boolean {
    return this.context.spent !== undefined;
  }

  /** Ends the run with what a guardrail has refused. False for any other error. */
  endIfTripped(error: unknown): boolean {
    return this.context.endIfTripped(error);
  }

  /** The end of the turn of a run that was cancelled. */
  cancelled(): Step {
    return endWith('CANCELLED', this.turn);
  }

  // Callbacks.

  /** The context of a callback of the agent; `closed` ends it. */
  callbackContext(): CallbackContext {
    return new CallbackContext(this.context, this.planned);
  }

  /** Closes the context of a callback. @returns what was written in it, which the caller stores */
  closed(context: CallbackContext): Partial<EventActions> | undefined {
    context.close();
    return context.drainActions();
  }

  /** Calls a callback of the agent until the run is cancelled. One that fails is logged, and ends nothing but itself. */
  callBack<Result>(
    name: keyof LiveCallbacks,
    call: (context: CallbackContext) => Awaitable<Result>,
  ): Promise<CalledBack<Result>> {
    const context = this.callbackContext();
    return callCallback(name, this.turn, context, () => call(context));
  }

  /** As `callBack`, for a callback that may ask models; what that has cost is stored with what it has written. */
  async direct(name: keyof LiveCallbacks, call: (context: AgentContext) => Awaitable<void>): Promise<void> {
    const { context, planned, sink, turn } = this;
    const agentContext = new AgentContext(context, planned);
    const { failure, actions } = await callCallback(name, turn, agentContext, () => call(agentContext));
    if (failure !== undefined && context.cancellation.isCancelled) return;
    const customMetadata = recordedSpending(agentContext.spending);
    if (actions || customMetadata)
      await sink.emit(context.event({ author: planned.name, actions, customMetadata }));
  }

  // Events.

  /** An event of the agent. */
  event(said: Said): Event {
    return this.context.event({ ...said, author: this.planned.name });
  }

  /** An event of the agent that counts as so many calls of its model. */
  countedEvent(said: Said, llmCalls: number): Event {
    return this.context.event({
      ...said,
      author: this.planned.name,
      customMetadata: recordedCalls(llmCalls),
    });
  }

  /** The actions of the event with what the model has said, with the `outputKey` of the agent if it is an answer. */
  withOutput(
    { content, actions }: Pick<Said, 'content' | 'actions'>,
    isFinal: boolean,
  ): Partial<EventActions> | undefined {
    return withOutput(this.planned, this.context, { content, actions, isFinal });
  }

  /** The event of a message of the user. */
  messageEvent(
    content: Content,
    actions: Partial<EventActions> | undefined,
    { before, mail }: MessagePlace,
  ): Event {
    const marks = present({ [SAID_BEFORE]: before, [SENT_AS]: mail });
    const customMetadata = Object.keys(marks).length > 0 ? marks : undefined;
    return this.context.event({ author: 'user', content, actions, customMetadata });
  }

  /** The event of an answer that an output guardrail has refused; undefined for any other error. */
  refusalOf(error: unknown): Event | undefined {
    const tripwire = tripwireOf(error);
    if (tripwire?.where !== 'output') return undefined;
    const { code: errorCode, message: errorMessage } = describeThrown(error);
    const customMetadata = { [TRIPWIRE]: tripwire };
    return this.context.event({ author: this.planned.name, errorCode, errorMessage, customMetadata });
  }

  /** True if the conversation ends with words of the user that nothing answers. */
  get isUnanswered(): boolean {
    const last = logOf(this.context.session).findLast((event) => !isRemark(event));
    return last?.author === 'user' && last.text !== '' && !isSaidBefore(last);
  }

  /** Begins the observation of a response of a model. Undefined if no plugin observes. */
  observe(model: ObservedModel, contents: readonly Content[]): GuardedObservation | undefined {
    const { context, planned } = this;
    const { signal } = context.cancellation;
    const request = { contents, config: {}, stream: true, signal };
    return context.services.observe?.({
      ...{ kind: 'model', agentName: planned.name, model, request },
      ...context.observedRun,
    });
  }
}

/** Ends the input of a tool that listens. It is stopped if it does not end by itself within `CALL_GRACE_MS`. */
export function endInput(call: ResolvedCall): void {
  if (isToolCall(call)) call.context.hearing.cancel();
}

/** Stops the tool of a call. What it had in hand may still take effect. */
export function stopCall(call: ResolvedCall): void {
  if (isToolCall(call)) call.context.abort(InvocationCancelledError.duringCall());
}
