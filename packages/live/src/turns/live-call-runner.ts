import type { Content, Event, FunctionCall } from '@adorn/core';
import {
  CALL_GRACE_MS,
  type CallBatch,
  Cancellation,
  type ChangedResponses,
  contentForModel,
  describeThrown,
  type EventBody,
  functionCallsOf,
  type FunctionResponse,
  functionResponsesOf,
  isToolCall,
  type LiveToolResponse,
  logOf,
  type OpenTurn,
  readContent,
  type ResolvedCall,
  type Step,
  type ToolOutcome,
  toUserContent,
  type TurnModelRequest,
} from '@adorn/core/backend';
import type { LinePlace, LiveItem } from '../line/live-line.js';
import { changeResponses } from './change-responses.js';
import {
  endedOf,
  hasOutcome,
  type LiveCall,
  noteOutcome,
  progressTimingOf,
  STOP_STREAMING,
  takeOutcome,
  toProgress,
  toResponse,
} from './live-calls.js';
import type { LiveParts } from './live-parts.js';
import { progressAsText, resultAsText } from './live-words.js';

/** Calls of the model, and where they arrived. */
export interface CallingAnswer {
  readonly calls: readonly FunctionCall[];
  readonly place: LinePlace;
  /** What the model has used, as far as no event holds it. */
  readonly usage: EventBody['usageMetadata'];
}

/** Runs the calls of one agent of a live session: each passes the gates, and is answered when it has ended. */
export class LiveCallRunner {
  constructor(
    private readonly turn: OpenTurn,
    private readonly parts: LiveParts,
  ) {}

  /** The calls that the provider has not sent before. A response that may be lost is sent again. */
  withoutRepeated(calls: readonly FunctionCall[]): readonly FunctionCall[] {
    return calls.filter((call) => isCall(call) && !this.isRepeated(call));
  }

  /** Stores calls of the model with one event, and starts them. @param stored is given the event before they start */
  take(
    { calls, place, usage: usageMetadata }: CallingAnswer,
    request: TurnModelRequest,
    stored: (event: Event) => void,
  ): Promise<Step | undefined> {
    const content: Content = { role: 'model', parts: calls.map((functionCall) => ({ functionCall })) };
    const providerIds = calls.map(({ id }) => id);
    return this.storeAndRun({ content, usageMetadata }, { ...place, providerIds }, request, stored);
  }

  /** Stores what the model has said, and runs the code in it. The model does not know of the calls: results are sent as text. */
  runCodeOf(said: Omit<EventBody, 'author'>, request: TurnModelRequest): Promise<Step | undefined> {
    return this.storeAndRun(said, { ...this.unknownPlace, providerIds: [] }, request);
  }

  private async storeAndRun(
    said: Omit<EventBody, 'author'>,
    { providerIds, ...place }: LinePlace & { readonly providerIds: readonly unknown[] },
    request: TurnModelRequest,
    stored?: (event: Event) => void,
  ): Promise<Step | undefined> {
    const { turn } = this;
    const { content, calls, ...made } = turn.readCalls(said, request);
    const entries = functionCallsOf(content).map((given, index) => {
      const providerId = providerIds[index];
      const names = { id: given.id ?? '', name: given.name ?? '', given };
      const entry = { ...names, providerId: typeof providerId === 'string' ? providerId : '', ...place };
      return Object.assign(this.parts.calls.add(entry), { resolved: calls[index] });
    });
    const event = turn.event({ ...said, ...made, content });
    await turn.sink.emit(event);
    stored?.(event);
    this.parts.view.remember(event, place);
    for (const entry of entries) entry.origin = event;
    const byHand = await this.callOnToolCall(entries);
    this.dispatch(
      entries.filter((entry) => !byHand.has(entry.id)),
      turn,
    );
    return this.respondToEnded();
  }

  /** True for a call that the provider sends again: it does not run twice. */
  private isRepeated(call: FunctionCall): boolean {
    const before = this.parts.calls.findRepeated(call);
    if (!before) return false;
    const isLost = before.sentOn !== undefined && before.sentOn !== this.parts.line.connections;
    if (isLost && before.response && !before.isCancelled)
      this.parts.line.sendToolResponses([before.response]);
    before.sentOn = isLost ? this.parts.line.connections : before.sentOn;
    return true;
  }

  private async callOnToolCall(entries: readonly LiveCall[]): Promise<ReadonlySet<string>> {
    const byHand = new Set<string>();
    const outcomes = await this.onToolCall(entries.map(({ given }) => given));
    for (const entry of entries) {
      const outcome = outcomes(entry.id);
      if (!outcome) continue;
      byHand.add(entry.id);
      entry.outcomes.push(outcome);
    }
    return byHand;
  }

  /** Calls `onToolCall`, and stores what it has written. If it throws, its calls fail. */
  private async onToolCall(calls: readonly FunctionCall[]): Promise<(id: string) => ToolOutcome | undefined> {
    const { turn } = this;
    const { callbacks } = turn;
    if (!callbacks.onToolCall) return () => undefined;
    const { result, failure, actions } = await turn.callBack('onToolCall', (context) =>
      callbacks.onToolCall?.(calls, context),
    );
    if (actions) await turn.sink.emit(turn.event({ actions }));
    if (failure !== undefined) {
      const response = { error: describeThrown(failure).message };
      return () => ({ kind: 'failed', response, error: failure });
    }
    const responses = result ?? {};
    return (id) => {
      const response = Object.hasOwn(responses, id) ? responses[id] : undefined;
      return response && { kind: 'completed', response };
    };
  }

  /** Starts calls. Each is answered when it has ended, whichever was first. */
  private dispatch(entries: readonly LiveCall[], turn: OpenTurn): void {
    const onTheWay = entries.filter(({ resolved, isCancelled }) => {
      return resolved !== undefined && isToolCall(resolved) && !isCancelled;
    });
    for (const entry of entries) {
      const { resolved, name, given } = entry;
      if (!resolved || isToolCall(resolved)) continue;
      if (name === STOP_STREAMING) entry.outcomes.push(this.stopStreaming(given));
      else entry.outcomes.push(resolved.outcome);
    }
    const byCall = new Map(onTheWay.map((entry) => [entry.resolved, entry]));
    const settled = (call: ResolvedCall, outcome: ToolOutcome): void => {
      const entry = byCall.get(call);
      if (entry) this.settle(entry, outcome);
    };
    const calls = onTheWay.flatMap(({ resolved }) => resolved ?? []);
    const telling = {
      emit: async (event: Event): Promise<void> => {
        await turn.sink.emit(event);
        if (event.partial) for (const response of event.functionResponses) await this.progressed(response);
      },
    };
    turn.dispatch(calls, telling, settled);
  }

  /** A running call has yielded something. */
  private async progressed(response: FunctionResponse): Promise<void> {
    const call = this.parts.calls.find(response.id ?? '');
    if (!call || progressTimingOf(call) === 'end') return;
    if (progressTimingOf(call) === 'last') call.progress = response;
    else await this.sendProgress(call, response);
  }

  /** Sends the model the newest yields of calls that it reads when its turn ends. */
  async sendNewestProgress(): Promise<void> {
    for (const call of this.parts.calls.open) {
      const { progress } = call;
      call.progress = undefined;
      if (progress) await this.sendProgress(call, progress);
    }
  }

  private async sendProgress(call: LiveCall, given: FunctionResponse): Promise<void> {
    const { turn } = this;
    const { line, talk, view } = this.parts;
    const { told, actions } = await this.change([given]);
    if (actions) await turn.sink.emit(turn.event({ actions }));
    if (call.isCancelled || call.isAnswered) return;
    const progress = toProgress(call, told?.[call.id] ?? given.response ?? {});
    if (call.isAcknowledged && line.knows(call) && line.capabilities?.asyncCalls === true) {
      line.sendToolResponses([progress]);
      return;
    }
    const { scheduling } = progress;
    const isAsked = scheduling === 'interrupt' || (scheduling === 'when_idle' && !talk.isAnswering);
    view.sendUnstored(toUserContent(progressAsText(call.name, progress.response)), isAsked);
  }

  private settle(entry: LiveCall, outcome: ToolOutcome): void {
    noteOutcome(entry, outcome);
    if (outcome.kind === 'running')
      void outcome.outcome.then((last) => {
        this.settle(entry, last);
      });
    this.parts.line.post(WAKE);
  }

  private stopStreaming({ args = {} }: FunctionCall): ToolOutcome {
    const name = String(args['function_name']);
    const stopped = this.parts.calls.stopStreams(name);
    return { kind: 'completed', response: { status: stopped > 0 ? 'stopped' : 'not_running', tool: name } };
  }

  /**
   * Starts calls again that were answered by a person, or interrupted by the end of their process.
   *
   * @param turn of the agent that has made them
   */
  rerun({ origins, calls }: CallBatch, turn: OpenTurn): void {
    const { calls: known, line } = this.parts;
    const entries = calls.map((resolved) => {
      const { id } = resolved;
      const name = isToolCall(resolved) ? resolved.entry.tool.name : resolved.name;
      const origin = origins.find(({ functionCalls }) => functionCalls.some((call) => call.id === id));
      const before = known.find(id);
      const place = { id, providerId: '', name, given: { id, name }, ...this.unknownPlace };
      const entry = before ?? known.add(place);
      return Object.assign(entry, { resolved, origin, isAnswered: false, isCancelled: false });
    });
    this.dispatch(entries, turn);
    line.post(WAKE);
  }

  /** Answers the calls that have ended: one event each, and at most one last response to the model. */
  async respondToEnded(): Promise<Step | undefined> {
    for (const call of this.parts.calls.takeEnded()) {
      while (!call.isAnswered && hasOutcome(call)) {
        const next = await this.answer(call);
        if (next) return next;
      }
    }
    return undefined;
  }

  private async answer(call: LiveCall): Promise<Step | undefined> {
    const { turn } = this;
    const { view } = this.parts;
    const outcome = takeOutcome(call);
    if (!outcome) return undefined;
    const { resolved, id, name } = call;
    const isReached = resolved !== undefined && isToolCall(resolved);
    if (!isReached) call.resolved = { id, name, outcome };
    const isAsking = outcome.kind === 'paused' || outcome.kind === 'waiting';
    const open = isAsking || (isReached && outcome.kind === 'completed' && outcome.continues === true);
    const isLast = outcome.kind !== 'running' && !open;
    if (isLast || open) call.isAnswered = true;
    call.isAsking = isAsking;
    const ended = endedOf(call, outcome, this.parts.calls.openIds);
    const change = call.isCancelled ? undefined : (event: Event) => this.changesOf(event);
    const { response: event, after } = await turn.respond(ended, change);
    view.remember(event);
    if (!call.isCancelled && isLast) await view.sendAdded(turn);
    if (!call.isCancelled) this.respond(call, event, isLast);
    call.isAcknowledged = true;
    if (after.kind === 'transfer' || (after.kind === 'end' && after.event)) return after;
    return event.actions.escalate === true ? after : undefined;
  }

  /** What the callbacks make of the responses of an event. */
  private changesOf(event: Event): Promise<ChangedResponses> {
    return this.change(functionResponsesOf(contentForModel(event)));
  }

  /** What the callbacks make of responses that are about to be stored. */
  change(responses: readonly FunctionResponse[]): Promise<ChangedResponses> {
    const callOf = ({ id = '', name }: FunctionResponse) => this.parts.calls.find(id)?.given ?? { id, name };
    return changeResponses(this.turn, responses, callOf);
  }

  private respond(call: LiveCall, event: Event, isLast: boolean): void {
    const part = functionResponsesOf(contentForModel(event)).find(({ id }) => id === call.id);
    if (part) this.send(call, toResponse(call, part.response ?? {}, isLast));
  }

  /** Sends a response: under its id if the connection knows the call, else as text. */
  private send(call: LiveCall, response: LiveToolResponse): void {
    const { line, talk, view } = this.parts;
    if (call.isCancelled) return;
    call.response = response;
    call.sentOn = line.connections;
    const isKnown = line.knows(call);
    const isLate = response.scheduling !== undefined && line.capabilities?.asyncCalls !== true;
    if (response.scheduling !== 'silent') talk.resultSent();
    if (isKnown && !isLate) {
      const { asyncCalls } = line.capabilities ?? {};
      line.sendToolResponses([asyncCalls === true ? response : { ...response, willContinue: undefined }]);
    } else view.sendText(resultAsText(call.name, response.response), response.scheduling !== 'silent');
  }

  /** Sends the model results that came from outside. */
  sendOutsideResults(origins: readonly Event[]): void {
    const ids = new Set(origins.flatMap(({ functionCalls }) => functionCalls.map(({ id }) => id)));
    const last = logOf(this.turn.context.session).findLast(({ functionResponses }) =>
      functionResponses.some(({ id }) => ids.has(id)),
    );
    for (const { id = '', name = '', response = {} } of functionResponsesOf(last && contentForModel(last))) {
      const call = this.parts.calls.find(id);
      if (!call || call.isCancelled) this.parts.view.sendText(resultAsText(name, response), true);
      else this.send(call, toResponse({ ...call, isAcknowledged: true }, response, true));
    }
  }

  /** Stops and answers the calls that run. Those that listen end by themselves, within a grace. */
  async close(): Promise<void> {
    const { calls } = this.parts;
    calls.close();
    await this.answerStopped();
    await this.untilSilent();
    calls.stopListening();
    await this.answerStopped();
  }

  private async answerStopped(): Promise<void> {
    for (const call of this.parts.calls.takeEnded())
      while (!call.isAnswered && hasOutcome(call)) await this.answer(call);
  }

  /** Waits for the tools that listen, as long as they may take to end. */
  private async untilSilent(): Promise<void> {
    const ended = Promise.all(this.parts.calls.listening.flatMap(({ running }) => running ?? []));
    const { clock } = this.turn.context.services;
    await new Cancellation(clock).wait(ended, { limit: CALL_GRACE_MS }).catch(ignore);
  }

  /** The place of a call that no connection knows. */
  private get unknownPlace(): LinePlace {
    return { connection: 0, generation: -1, handles: this.parts.line.handles };
  }
}

function ignore(): void {
  // The tools that still run are stopped.
}

/** False for a value without anything of a call: a provider may send anything. */
function isCall(value: unknown): boolean {
  const read = readContent({ parts: [{ functionCall: value }] });
  return functionCallsOf(read).length > 0;
}

const WAKE: LiveItem = Object.freeze({ kind: 'wake' });
