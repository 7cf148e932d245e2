import type { Event, FunctionCall } from '@adorn/core';
import {
  type EndedCall,
  endInput,
  type FunctionResponse,
  InvocationCancelledError,
  isListening,
  isSameJson,
  isToolCall,
  type LiveToolResponse,
  type ResolvedCall,
  schedulingOf,
  stopCall,
  stoppedOutcome,
  type ToolOutcome,
} from '@adorn/core/backend';
import type { LinePlace } from '../line/live-line.js';

/** The tool with which the model ends a tool that listens. */
export const STOP_STREAMING = 'stop_streaming';

/** A call of a live session, from its arrival to its last response. */
export interface LiveCall extends LinePlace {
  readonly id: string;
  /** As the provider gave it; empty if it gave none. */
  readonly providerId: string;
  readonly name: string;
  readonly given: FunctionCall;
  /** The event that holds the call. */
  origin?: Event;
  resolved?: ResolvedCall;
  /** Outcomes that have to be answered, oldest first. */
  outcomes: ToolOutcome[];
  /** Its last outcome, while its tool runs in the background. */
  running?: Promise<unknown> | undefined;
  /** True if the model does not need it any more: it is stopped, and not answered. */
  isCancelled: boolean;
  /** True after its last response was stored, or the one to wait for a person or for a result. */
  isAnswered: boolean;
  /** True while it waits for a person. */
  isAsking: boolean;
  /** True after a first response was sent: another one comes later. */
  isAcknowledged: boolean;
  /** The newest yield that the model reads when its turn ends. */
  progress?: FunctionResponse | undefined;
  /** The last response that was sent, and the number of the connection. */
  response?: LiveToolResponse;
  sentOn?: number;
}

/** How many answered calls are remembered, in case that the provider sends them again. */
const MOST_ANSWERED = 1_000;

/** A provider that cancels calls which it never makes does not fill the memory. */
const MOST_EARLY = 1_000;

/** The calls of a live session. Each has one last response in the log; a cancelled one is not answered to the model. */
export class LiveCalls {
  private calls: LiveCall[] = [];
  /** Ids that were cancelled before their calls were taken: speech and cancellations overtake calls. */
  private readonly early = new Set<string>();

  /** The calls without a last response. */
  get open(): LiveCall[] {
    return this.calls.filter(({ isAnswered }) => !isAnswered);
  }

  /** The ids of the calls without a last response. */
  get openIds(): ReadonlySet<string> {
    return new Set(this.open.map(({ id }) => id));
  }

  add(call: Pick<LiveCall, 'id' | 'providerId' | 'name' | 'given' | keyof LinePlace>): LiveCall {
    const entry: LiveCall = {
      ...call,
      outcomes: [],
      isCancelled: this.early.delete(call.providerId),
      isAnswered: false,
      isAsking: false,
      isAcknowledged: false,
    };
    if (this.calls.length > 2 * MOST_ANSWERED) this.forget();
    this.calls.push(entry);
    return entry;
  }

  /** Drops the oldest answered calls: a conversation may take hours. */
  private forget(): void {
    const recent = this.calls.length - MOST_ANSWERED;
    this.calls = this.calls.filter(({ isAnswered }, index) => !isAnswered || index >= recent);
  }

  /** The call that a provider has sent before: the same id, name and arguments. */
  findRepeated({ id, name, args = {} }: FunctionCall): LiveCall | undefined {
    if (id === '') return undefined;
    return this.calls.findLast(
      (call) => call.providerId === id && call.name === name && isSameJson(call.given.args ?? {}, args),
    );
  }

  find(id: string): LiveCall | undefined {
    return this.calls.findLast((call) => call.id === id);
  }

  /**
   * Stops calls that the model does not need, by the ids of the provider. In the tick in which they are named. One that waits
   * for a person is closed with its request. What comes for one that was answered, such as the result of a long-running tool,
   * is no response of it any more.
   */
  cancel(ids: readonly string[]): void {
    for (const id of ids) {
      const calls = this.calls.filter(({ providerId }) => id !== '' && providerId === id);
      if (calls.length === 0 && this.early.size < MOST_EARLY) this.early.add(id);
      for (const call of calls) {
        if (call.isAsking) call.isAnswered = false;
        if (call.isAnswered) call.isCancelled = true;
        else stop(call);
      }
    }
  }

  /** Ends the input of the running calls of a tool that listens. @returns their number */
  stopStreams(name: string): number {
    const streams = this.listening.filter((call) => call.name === name);
    for (const { resolved } of streams) if (resolved) endInput(resolved);
    return streams.length;
  }

  /** Stops all calls: the session is over. Those that listen end by themselves. */
  close(): void {
    for (const call of this.open) stop(call);
  }

  /** Stops the calls that listen, too. */
  stopListening(): void {
    for (const call of this.listening) {
      call.running = undefined;
      stop(call);
    }
  }

  /** The running calls of tools that listen. */
  get listening(): LiveCall[] {
    return this.open.filter(listens);
  }

  /** The calls with outcomes to answer; cancelled ones too. */
  takeEnded(): LiveCall[] {
    return this.open.filter((call) => call.origin !== undefined && hasOutcome(call));
  }
}

/** True while the tool of a call listens. */
function listens({ resolved, running }: LiveCall): boolean {
  return running !== undefined && resolved !== undefined && isToolCall(resolved) && isListening(resolved);
}

/** Stops a call. One that listens hears the end of its input, and is answered by what it returns. */
function stop(call: LiveCall): void {
  call.isCancelled = true;
  if (!call.resolved) return;
  if (listens(call)) endInput(call.resolved);
  else stopCall(call.resolved);
}

/** Notes an outcome. That of a call that was stopped is not waited for, and comes too late. */
export function noteOutcome(call: LiveCall, outcome: ToolOutcome): void {
  if (!call.isCancelled || listens(call)) call.outcomes.push(outcome);
  call.running = outcome.kind === 'running' ? outcome.outcome : undefined;
}

/** True if there is something to answer a call by. */
export function hasOutcome(call: LiveCall): boolean {
  return call.outcomes.length > 0 || (call.isCancelled && !listens(call));
}

/** Takes what a call is answered by. One that was stopped has a last outcome only: its own, if it has ended. */
export function takeOutcome(call: LiveCall): ToolOutcome | undefined {
  if (!call.isCancelled) return call.outcomes.shift();
  const ended = call.outcomes.find(isEnd);
  call.outcomes = [];
  if (ended || listens(call)) return ended;
  return outcomeOfStopped(call);
}

function isEnd({ kind }: ToolOutcome): boolean {
  return kind === 'completed' || kind === 'failed' || kind === 'refused';
}

function outcomeOfStopped({ resolved }: LiveCall): ToolOutcome {
  if (resolved && isToolCall(resolved)) return stoppedOutcome(resolved);
  const error = new InvocationCancelledError();
  return { kind: 'failed', response: { error: error.message }, error };
}

/** A call with its next outcome, as the turn answers it. Calls of the same event that still run are no pause. */
export function endedOf(call: LiveCall, outcome: ToolOutcome, running: ReadonlySet<string>): EndedCall {
  const { origin, resolved } = call;
  if (!origin || !resolved) throw new TypeError('The call has no event yet.');
  return { call: resolved, origin, outcome, running: [...running].filter((id) => id !== call.id) };
}

/** When the model of a live session reads the yields of a call. */
export function progressTimingOf({ resolved }: LiveCall): 'each' | 'last' | 'end' {
  return (resolved && isToolCall(resolved) ? resolved.entry.tool.traits.tell : undefined) ?? 'end';
}

/** An interim response to the model. */
export function toProgress(
  { providerId, name, resolved }: LiveCall,
  response: Readonly<Record<string, unknown>>,
): LiveToolResponse {
  const scheduling = resolved && isToolCall(resolved) ? schedulingOf(resolved.entry.tool.traits) : undefined;
  return { id: providerId, name, response, scheduling: scheduling ?? 'when_idle', willContinue: true };
}

/** The response to the model, from the part of the stored event. */
export function toResponse(
  { providerId, name, resolved, isAcknowledged }: LiveCall,
  response: Readonly<Record<string, unknown>>,
  isLast: boolean,
): LiveToolResponse {
  const call = resolved && isToolCall(resolved) ? resolved : undefined;
  const scheduling = isAcknowledged && isLast ? call && schedulingOfLate(call) : undefined;
  return { id: providerId, name, response, scheduling, willContinue: isLast ? undefined : true };
}

/** When the model reads a result that comes later. Default of an answer of a person: at once. */
function schedulingOfLate({
  entry,
}: Extract<ResolvedCall, { entry: unknown }>): LiveToolResponse['scheduling'] {
  return schedulingOf(entry.tool.traits) ?? (entry.tool.takesLiveInput ? 'when_idle' : 'interrupt');
}
