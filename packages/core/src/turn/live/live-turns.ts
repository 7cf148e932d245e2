import type { Content, FunctionCall } from '../../content/genai-types.js';
import type { ToolOutcome } from '../../dispatch/tool-call.js';
import { isHandle, isWaiting } from '../../dispatch/tool-call.js';
import { describeThrown } from '../../errors/describe-thrown.js';
import type { EventSink } from '../../events/event-sink.js';
import type { Event, EventBody } from '../../events/event.js';
import { logOf } from '../../events/session.js';
import { CallbackContext } from '../../invocation/callback-context.js';
import type { Performed } from '../../invocation/emit-events.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { LiveEventItem, LiveItem, LiveLine } from '../../invocation/live/live-line.js';
import type { LiveToolResponse } from '../../models/live/live-connection.js';
import type { LiveEvent } from '../../models/live/live-event.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { newEventId } from '../../runtime/ids.js';
import { BackgroundCalls } from '../background-calls.js';
import { type CallBatch, isOnItsWay, resolveCall, type ResolvedCall, resumptionOf } from '../call-batch.js';
import { CallIds } from '../call-ids.js';
import { passOn } from '../hand-over.js';
import { eventsOfListing, listToolsets } from '../list-toolsets.js';
import { longRunningOf } from '../model-answer.js';
import type { TurnRequest } from '../request-plan.js';
import { answerEnded } from '../run-calls.js';
import { endWith, type Step, type Turn } from '../step.js';
import { endResponse, type PlannedAgent } from '../turn-agent.js';
import {
  endedOf,
  type LiveCall,
  LiveCalls,
  STOP_STREAMING,
  stoppedOutcome,
  toResponse,
} from './live-calls.js';
import { liveModelOf, setupOf } from './live-setup.js';
import { LiveWords, toldAsText } from './live-words.js';

/** The callbacks of an agent that only a live session has. */
export interface LiveCallbacks {
  /**
   * Answers calls by hand, before any gate. Calls that are not in the result go to their tools.
   *
   * @returns responses by the ids of the calls
   */
  onToolCall?(
    calls: readonly FunctionCall[],
    context: CallbackContext,
  ): Awaitable<Readonly<Record<string, Record<string, unknown>>> | undefined>;
  /** Changes what the model reads of a response: late results and refusals too. The log keeps the original. */
  beforeToolResponse?(
    response: Readonly<Record<string, unknown>>,
    call: Pick<FunctionCall, 'id' | 'name' | 'args'>,
    context: CallbackContext,
  ): Awaitable<Record<string, unknown> | undefined>;
  /** Called when the session begins with this agent, or is handed over to it. */
  onLiveStart?(live: LiveDirection, context: CallbackContext): Awaitable<void>;
  /** Called after each turn of the model, before anything else is taken. What it writes is stored. */
  onLiveTurn?(live: LiveDirection, context: CallbackContext): Awaitable<void>;
}

/** How an agent directs its live session. */
export interface LiveDirection {
  /** The model reads the text with whatever follows. */
  readonly steer: (text: string) => void;
  /** The model answers the text, which is no message of the user. */
  readonly prompt: (text: string) => void;
  /** Sends the instruction and the tools of the agent again, because they have changed. */
  readonly renew: () => void;
}

/** What the agents of a session share. */
interface Conversation {
  readonly calls: LiveCalls;
  /** What was stored since the newest handle: a connection that is continued by it does not know it. */
  sinceHandle: Content[];
  /** True if the user, or a result, waits for the model. */
  isOwed: boolean;
}

const conversations = new WeakMap<LiveLine, Conversation>();

/**
 * One agent's part of a live session: the counterpart of `runTurns`. Calls pass the same gates and are answered by the
 * same events; the model is a connection that is open.
 */
export async function runLiveTurns(
  agent: PlannedAgent,
  context: InvocationContext,
  sink: EventSink,
  callbacks: LiveCallbacks,
): Promise<Performed> {
  const line = context.invocation.live;
  if (line === undefined) throw new TypeError('A live turn needs the line of a live session.');
  const turn: Turn = { agent, context, sink, background: new BackgroundCalls(), asked: 0 };
  let conversation = conversations.get(line);
  if (conversation === undefined) {
    const calls = new LiveCalls();
    conversation = { calls, sinceHandle: [], isOwed: isUnanswered(context) };
    conversations.set(line, conversation);
  }
  line.onCancelled = (ids) => conversation.calls.cancel(ids);
  return new LiveTurns(turn, line, conversation, callbacks).run();
}

function isUnanswered({ session }: InvocationContext): boolean {
  const last = logOf(session).at(-1);
  return last?.author === 'user' && last.text !== '';
}

/** Undefined: the session goes on. */
type Next = Step | undefined;

class LiveTurns {
  private readonly words = new LiveWords();
  private isAnswering = false;
  private renews = false;

  constructor(
    private readonly turn: Turn,
    private readonly line: LiveLine,
    private readonly shared: Conversation,
    private readonly callbacks: LiveCallbacks,
  ) {}

  async run(): Promise<Performed> {
    const { turn, line } = this;
    try {
      const begun = await this.begin();
      for (let next: Next = begun; ; next = await this.handle(await line.next())) {
        if (next === undefined) continue;
        if (next.kind === 'end') {
          if (next.event !== undefined) await turn.sink.emit(next.event);
          await this.leave();
          return 'done';
        }
        if (next.kind === 'transfer') {
          await this.flush();
          const end = await this.handOver(next);
          if (end !== undefined) return end;
        }
      }
    } catch (error) {
      await this.leave().catch(ignore);
      throw error;
    }
  }

  private async begin(): Promise<Next> {
    const resumed = await resumptionOf(this.turn.agent, this.turn.context);
    if (resumed.kind === 'calls') this.rerun(resumed.batch);
    const failed = await this.connect();
    if (failed !== undefined) return failed;
    await this.callBack('onLiveStart');
    return undefined;
  }

  /** Hands over, or has a called agent run by text. Undefined: this agent goes on. */
  private async handOver(step: Extract<Step, { kind: 'transfer' }>): Promise<Performed | undefined> {
    const { turn, shared } = this;
    let answer = '';
    const emit = (event: Event): Promise<void> => {
      if (!event.partial && event.text !== '') answer = event.text;
      return turn.sink.emit(event);
    };
    shared.isOwed = true;
    const after = await passOn(step, { ...turn, sink: { emit } });
    if (after.kind === 'over') return after.performed;
    this.tell(`[${step.successor.name} answered: ${answer}]`, true);
    return undefined;
  }

  private async handle(item: LiveItem): Promise<Next> {
    switch (item.kind) {
      case 'event':
        return this.take(item);
      case 'text':
        return this.takeText(item);
      case 'answers':
        return this.takeAnswers(item.take);
      case 'reconnect':
        return this.connect();
      case 'wake':
        return this.answerCalls();
      case 'close':
        return this.close();
    }
  }

  private async take({ event, atMs, playedMs, ...place }: LiveEventItem): Promise<Next> {
    switch (event.kind) {
      case 'inputTranscript':
        this.words.hear(event.text);
        this.shared.isOwed = true;
        await this.show({ author: 'user', inputTranscription: transcript(event) });
        if (this.line.heard.isHeard) this.line.heard.tell({ kind: 'text', text: event.text });
        return undefined;
      case 'outputTranscript':
      case 'text': {
        const end = await this.beginAnswer();
        if (end !== undefined) return end;
        this.words.say(event, atMs);
        await this.show(pieceOf(event));
        return undefined;
      }
      case 'toolCall':
        return (await this.beginAnswer()) ?? this.takeCalls(event.calls, place);
      case 'toolCallCancellation':
        return this.answerCalls();
      case 'interrupted':
        await this.flush(playedMs);
        this.line.beginAnswer();
        return undefined;
      case 'turnComplete':
        return this.endTurn();
      case 'goAway':
        return this.isAnswering ? undefined : this.connect();
      case 'resumption':
        this.noteHandle(event.handle);
        return undefined;
      case 'usage':
        this.words.noteUsage(event.usage);
        return undefined;
      case 'grounding':
        this.words.noteGrounding(event.grounding);
        return undefined;
      case 'speech':
        await this.show({ voiceActivity: { voiceActivityType: `ACTIVITY_${event.activity.toUpperCase()}` } });
        return undefined;
      case 'error':
        return this.failed(event);
      default:
        return undefined;
    }
  }

  /** The first piece of an answer counts as one call of the model. */
  private async beginAnswer(): Promise<Next> {
    const { turn } = this;
    if (this.isAnswering) return undefined;
    this.isAnswering = true;
    this.shared.isOwed = false;
    await this.flushHeard();
    const end = turn.context.budget.takeLlmCall(turn.context);
    if (end === undefined) return undefined;
    turn.context.noteSpent({ code: end, message: endResponse(end).errorMessage });
    return endWith(end, turn);
  }

  private async endTurn(): Promise<Next> {
    const said = await this.flush();
    if (!said) await this.show({ turnComplete: true });
    this.isAnswering = false;
    this.line.beginAnswer();
    if (this.line.isGoingAway) {
      const failed = await this.connect();
      if (failed !== undefined) return failed;
    }
    await this.callBack('onLiveTurn');
    if (!this.renews) return undefined;
    this.renews = false;
    return this.connect();
  }

  private async takeText({ content, isOfUser, respond }: Extract<LiveItem, { kind: 'text' }>): Promise<Next> {
    let sent = content;
    if (isOfUser) {
      await this.flushHeard();
      sent = await this.storeMessage(content);
      if (this.line.heard.isHeard)
        for (const { text = '' } of sent.parts ?? []) this.line.heard.tell({ kind: 'text', text });
    }
    if (respond) this.shared.isOwed = true;
    this.line.sendContents([sent], respond);
    return undefined;
  }

  private async takeAnswers(take: () => Promise<void>): Promise<Next> {
    await take();
    const resumed = await resumptionOf(this.turn.agent, this.turn.context);
    if (resumed.kind === 'calls') this.rerun(resumed.batch);
    if (resumed.kind === 'results') this.tellResults(resumed.origins);
    return undefined;
  }

  /** Tells the model results that came from outside. */
  private tellResults(origins: readonly Event[]): void {
    const ids = new Set(origins.flatMap(({ functionCalls }) => functionCalls.map(({ id }) => id)));
    const last = logOf(this.turn.context.session).findLast(({ functionResponses }) =>
      functionResponses.some(({ id }) => ids.has(id)),
    );
    for (const { id = '', name = '', response = {} } of last?.functionResponses ?? []) {
      const call = this.shared.calls.find(id);
      if (call === undefined) this.tell(`[${name} returned ${JSON.stringify(response)}.]`, true);
      else this.send(call, toResponse({ ...call, isAcknowledged: true }, response, true));
    }
  }

  private async takeCalls(
    calls: readonly FunctionCall[],
    place: Pick<LiveEventItem, 'connection' | 'generation' | 'handles'>,
  ): Promise<Next> {
    const { turn, shared } = this;
    const { agent, context } = turn;
    const fresh = calls.filter((call) => !this.isRepeated(call));
    if (fresh.length === 0) return undefined;
    await this.flush();
    const ids = new CallIds(context.invocation);
    const parts = fresh.map((functionCall) => ({ functionCall }));
    const content = ids.ofWhole({ role: 'model', parts });
    const given = content.parts ?? [];
    const { tools } = await this.request();
    const entries = given.map(({ functionCall = {} }, index) => {
      const { id = '', name = '' } = functionCall;
      const providerId = fresh[index]?.id ?? '';
      return shared.calls.add({ id, providerId, name, given: functionCall, ...place });
    });
    const eventId = newEventId();
    const resolved = entries.map((entry) => resolveCall(agent, context, tools, eventId, entry.given));
    entries.forEach((entry, index) => (entry.resolved = resolved[index]));
    const event = context.event({
      id: eventId,
      author: agent.name,
      content,
      longRunningToolIds: longRunningOf(resolved),
    });
    await this.store(event);
    for (const entry of entries) entry.origin = event;
    const byHand = await this.answerByHand(entries);
    this.dispatch(entries.filter(({ id }) => !byHand.has(id)));
    return this.answerCalls();
  }

  /** True for a call that the provider sends again: it does not run twice. A response that may be lost is sent again. */
  private isRepeated(call: FunctionCall): boolean {
    const before = this.shared.calls.findRepeated(call);
    if (before === undefined) return false;
    const isLost = before.sentOn !== undefined && before.sentOn !== this.line.connections;
    if (isLost && before.response !== undefined && !before.isCancelled)
      this.line.sendToolResponses([before.response]);
    before.sentOn = isLost ? this.line.connections : before.sentOn;
    return true;
  }

  private async answerByHand(entries: readonly LiveCall[]): Promise<ReadonlySet<string>> {
    const byHand = new Set<string>();
    const calls = entries.map(({ given }) => given);
    const responses = (await this.callbacks.onToolCall?.(calls, this.callbackContext)) ?? {};
    for (const entry of entries) {
      const response = responses[entry.id];
      if (response === undefined) continue;
      byHand.add(entry.id);
      entry.outcomes.push({ kind: 'completed', response });
    }
    return byHand;
  }

  /** Starts calls. Each is answered when it has ended, whichever was first. */
  private dispatch(entries: readonly LiveCall[]): void {
    const { agent, context, sink } = this.turn;
    const onTheWay = entries.filter(({ resolved, isCancelled }) => {
      return resolved !== undefined && isOnItsWay(resolved) && !isCancelled;
    });
    for (const entry of entries) {
      const { resolved, name, given } = entry;
      if (resolved === undefined || isOnItsWay(resolved)) continue;
      if (name === STOP_STREAMING) entry.outcomes.push(this.stopStreaming(given));
      else entry.outcomes.push(resolved.outcome);
    }
    const byCall = new Map(onTheWay.map((entry) => [entry.resolved, entry]));
    const settled = (call: ResolvedCall, outcome: ToolOutcome): void => {
      const entry = byCall.get(call);
      if (entry !== undefined) this.settle(entry, outcome);
    };
    const calls = onTheWay.flatMap(({ resolved }) =>
      resolved !== undefined && isOnItsWay(resolved) ? [resolved] : [],
    );
    if (calls.length > 0)
      void agent.dispatcher.dispatchAll(calls, sink, context.config.toolConcurrency, sink, settled);
  }

  private settle(entry: LiveCall, outcome: ToolOutcome): void {
    entry.outcomes.push(outcome);
    if (outcome.kind === 'running')
      void outcome.outcome.then((last) => {
        this.settle(entry, last);
      });
    this.line.post(WAKE);
  }

  private stopStreaming({ args = {} }: FunctionCall): ToolOutcome {
    const name = String(args['function_name']);
    const stopped = this.shared.calls.stopStreams(name);
    return { kind: 'completed', response: { status: stopped > 0 ? 'stopped' : 'not_running', tool: name } };
  }

  /** Starts calls again that were answered by a person, or interrupted by the end of their process. */
  private rerun({ origins, calls }: CallBatch): void {
    const { shared, line } = this;
    const entries = calls.map((resolved) => {
      const { id } = resolved;
      const name = isOnItsWay(resolved) ? resolved.entry.tool.name : resolved.name;
      const origin = origins.find(({ functionCalls }) => functionCalls.some((call) => call.id === id));
      const known = shared.calls.find(id);
      const place = { connection: 0, generation: -1, handles: line.handles };
      const entry = known ?? shared.calls.add({ id, providerId: '', name, given: { id, name }, ...place });
      entry.isAcknowledged = known !== undefined;
      return Object.assign(entry, { resolved, origin, isAnswered: false, isCancelled: false });
    });
    this.dispatch(entries);
    line.post(WAKE);
  }

  /** Answers the calls that have ended: one event each, and at most one last response to the model. */
  private async answerCalls(): Promise<Next> {
    for (const call of this.shared.calls.takeEnded()) {
      while (!call.isAnswered && (call.isCancelled || call.outcomes.length > 0)) {
        const next = await this.answer(call);
        if (next !== undefined) return next;
      }
    }
    return undefined;
  }

  private async answer(call: LiveCall): Promise<Next> {
    const { turn, shared } = this;
    const outcome = call.isCancelled ? stoppedOutcome() : call.outcomes.shift();
    if (outcome === undefined) return undefined;
    const { resolved, id, name } = call;
    const isReached = resolved !== undefined && isOnItsWay(resolved);
    if (!isReached) call.resolved = { id, name, outcome };
    const open = isWaiting(outcome) || (isReached && isHandle({ id, name, call: resolved, outcome }));
    const isLast = outcome.kind !== 'running' && !open;
    if (isLast || open) call.isAnswered = true;
    const ended = endedOf(call, isReached ? outcome : undefined, shared.calls.openIds);
    const own: Turn = isReached
      ? { ...turn, agent: resolved.agent as PlannedAgent, context: resolved.invocation }
      : turn;
    const { response: event, after } = await answerEnded(ended, own);
    this.remember(event);
    if (!call.isCancelled) await this.respond(call, event, isLast);
    if (outcome.kind === 'running') call.isAcknowledged = true;
    if (after.kind === 'transfer' || (after.kind === 'end' && after.event !== undefined)) return after;
    return event.actions.escalate === true ? after : undefined;
  }

  private async respond(call: LiveCall, event: Event, isLast: boolean): Promise<void> {
    const part = event.functionResponses.find(({ id }) => id === call.id);
    if (part === undefined) return;
    const { response = {} } = part;
    const changed = await this.callbacks.beforeToolResponse?.(response, call.given, this.callbackContext);
    this.send(call, toResponse(call, changed ?? response, isLast));
  }

  /** Sends a response: under its id if the connection knows the call, else as text. */
  private send(call: LiveCall, response: LiveToolResponse): void {
    const { line, shared } = this;
    if (call.isCancelled) return;
    call.response = response;
    call.sentOn = line.connections;
    const isKnown = isInMemory(call, line);
    const isLate = response.scheduling !== undefined && line.capabilities?.asyncCalls !== true;
    shared.isOwed = true;
    if (isKnown && !isLate) {
      const { asyncCalls } = line.capabilities ?? {};
      line.sendToolResponses([asyncCalls === true ? response : { ...response, willContinue: undefined }]);
    } else
      this.tell(
        `[${call.name} returned ${JSON.stringify(response.response)}.]`,
        response.scheduling !== 'silent',
      );
  }

  private tell(text: string, respond: boolean): void {
    if (respond) this.shared.isOwed = true;
    this.line.sendContents([{ role: 'user', parts: [{ text }] }], respond);
  }

  private async failed({ code, message, fatal }: Extract<LiveEvent, { kind: 'error' }>): Promise<Next> {
    const { agent, context, sink } = this.turn;
    await this.flush();
    const event = context.event({ author: agent.name, errorCode: code, errorMessage: message });
    if (fatal) return { kind: 'end', event };
    await sink.emit(event);
    return undefined;
  }

  /** Opens the connection, or opens it again. A failure is the end of the session. */
  private async connect(): Promise<Next> {
    const { turn, line, shared } = this;
    const { agent, context } = turn;
    if (line.isClosing) return undefined;
    let owed: Content | undefined;
    try {
      const model = liveModelOf(agent, line);
      const opened = await line.connect(model, context, async () => {
        const setup = setupOf(await this.request(true), line, model, shared.calls.openIds);
        const last = setup.history.at(-1);
        owed = shared.isOwed && last?.role === 'user' ? last : undefined;
        return owed === undefined ? setup : { ...setup, history: setup.history.slice(0, -1) };
      });
      if (opened === 'new') {
        shared.sinceHandle = [];
        if (owed !== undefined) line.sendContents([owed], true);
      } else if (opened === 'resumed') line.sendContents(shared.sinceHandle, shared.isOwed);
      this.isAnswering = false;
      return undefined;
    } catch (error) {
      if (context.cancellation.isCancelled) return endWith('CANCELLED', turn);
      const { code = 'MODEL_FAILED', message } = describeThrown(error);
      return {
        kind: 'end',
        event: context.event({
          author: agent.name,
          errorCode: code,
          errorMessage: message,
          turnComplete: true,
        }),
      };
    }
  }

  /** The request that the agent would send in a text run. */
  private async request(isSent = false): Promise<TurnRequest> {
    const { agent, context, sink } = this.turn;
    const listing = agent.toolsets.length > 0 ? await listToolsets(agent, context) : undefined;
    if (isSent && listing !== undefined) {
      const { events } = await eventsOfListing(listing, agent, context);
      for (const event of events) await sink.emit(event);
    }
    const request = await agent.requests.build(context, listing);
    if (isSent) await agent.callbacks.beforeModel?.(request, request.callbackContext);
    return request;
  }

  /** Stores what was said so far. True if there was something. */
  private async flush(playedMs?: number): Promise<boolean> {
    await this.flushHeard();
    const said = this.words.takeSaid(playedMs);
    if (said === undefined) return false;
    const { agent, context } = this.turn;
    const isInterrupted = playedMs !== undefined;
    const { content } = said;
    const { afterModel } = agent.callbacks;
    const callbackContext = this.callbackContext;
    const changed = await afterModel?.({ content }, callbackContext);
    await this.store(
      context.event({
        ...said,
        author: agent.name,
        content: changed?.content ?? content,
        actions: callbackContext.takeActions(),
        interrupted: isInterrupted ? true : undefined,
        turnComplete: true,
      }),
    );
    return true;
  }

  private async flushHeard(): Promise<void> {
    const heard = this.words.takeHeard();
    if (heard !== undefined) await this.storeMessage(heard);
  }

  private async storeMessage(content: Content): Promise<Content> {
    const heard = await this.line.listening?.(content);
    const stored = heard?.content ?? content;
    await this.store(this.turn.context.event({ author: 'user', content: stored, actions: heard?.actions }));
    return stored;
  }

  private async store(event: Event): Promise<void> {
    await this.turn.sink.emit(event);
    this.remember(event);
  }

  private remember(event: Event): void {
    // Without a handle, the next connection gets the whole history.
    const told = this.line.resumptionHandle === undefined ? undefined : toldAsText(event);
    if (told !== undefined) this.shared.sinceHandle.push(told);
  }

  private noteHandle(handle: string | undefined): void {
    if (handle !== undefined) this.shared.sinceHandle = [];
  }

  private show(body: Omit<EventBody, 'author'> & { readonly author?: string }): Promise<void> {
    const { agent, context, sink } = this.turn;
    return sink.emit(context.event({ author: agent.name, ...body, partial: true }));
  }

  /** Calls a callback, and stores what it has written. One that fails is logged: the conversation goes on. */
  private async callBack(hook: 'onLiveStart' | 'onLiveTurn'): Promise<void> {
    const { agent, context } = this.turn;
    const callbackContext = this.callbackContext;
    try {
      const calling = this.callbacks[hook]?.(this.direction, callbackContext);
      if (calling !== undefined) await context.cancellation.wait(Promise.resolve(calling));
    } catch (error) {
      if (context.cancellation.isCancelled) return;
      context.services.logger.error(`the callback ${hook} failed`, { agent: agent.path, error });
    }
    const actions = callbackContext.takeActions();
    if (actions !== undefined) await this.turn.sink.emit(context.event({ author: agent.name, actions }));
  }

  private get callbackContext(): CallbackContext {
    return new CallbackContext(this.turn.context, this.turn.agent);
  }

  private get direction(): LiveDirection {
    return {
      steer: (text) => {
        this.tell(text, false);
      },
      prompt: (text) => {
        this.tell(text, true);
      },
      renew: () => {
        this.renews = true;
      },
    };
  }

  private async close(): Promise<Next> {
    if (this.turn.context.cancellation.isCancelled) return endWith('CANCELLED', this.turn);
    await this.flush();
    return { kind: 'end' };
  }

  /** Ends the connection, and stops and answers the calls that run. */
  private async leave(): Promise<void> {
    const { shared, line } = this;
    line.hangUp();
    shared.calls.close();
    for (const call of shared.calls.takeEnded()) while (!call.isAnswered) await this.answer(call);
  }
}

const WAKE: LiveItem = Object.freeze({ kind: 'wake' });

function transcript({ text, finished }: { readonly text: string; readonly finished?: boolean }): object {
  return finished === undefined ? { text } : { text, finished };
}

/** True if the model of the connection knows the call: it has made it there, or before the handle that it continues from. */
function isInMemory({ connection, generation, handles }: LiveCall, line: LiveLine): boolean {
  if (generation !== line.generation) return false;
  return connection === line.connections || handles < line.resumedFrom;
}

/** A piece of an answer, as it is shown. */
function pieceOf(
  event: Extract<LiveEvent, { kind: 'text' | 'outputTranscript' }>,
): Omit<EventBody, 'author'> {
  if (event.kind === 'outputTranscript') return { outputTranscription: transcript(event) };
  const part = event.thought === true ? { text: event.text, thought: true } : { text: event.text };
  return { content: { role: 'model', parts: [part] } };
}

function ignore(): void {
  // The error that ended the session is thrown.
}
