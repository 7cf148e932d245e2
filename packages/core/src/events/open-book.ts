import type { FunctionCall, FunctionResponse } from '../content/genai-types.js';
import { frozenJson } from '../json/copy-json.js';
import type { Event } from './event.js';
import { isRequestName, type PendingRequest } from './pending-request.js';
import { type Decision, readDecision } from './requests-of.js';

/** A call that waits for its real response, and the event that made it. */
export interface OpenCall {
  readonly call: FunctionCall;
  readonly event: Event;
}

/** A request that waits for an answer, and the invocation it was asked in. */
export interface OpenRequest {
  readonly request: PendingRequest;
  readonly invocationId: string;
}

/** What of a session is open: calls without their response, and requests without their answer. */
export class OpenBook {
  readonly calls = new Map<string, OpenCall>();
  readonly requests = new Map<string, OpenRequest>();
  /** What was decided about calls that have not run yet: a yes stays one when a credential is asked for after it. */
  readonly decisions = new Map<string, Decision>();
  private readonly requestOfCall = new Map<string, string>();
  /** Calls whose tool gave a handle, until their final result. */
  private readonly longRunning = new Map<string, OpenCall>();
  /** Those of them that have an interim result: the model may be asked. */
  private readonly withInterim = new Set<string>();

  /** By the id of the request or of the call that waits. */
  findRequest(id: string): OpenRequest | undefined {
    return this.requests.get(id) ?? this.requests.get(this.requestOfCall.get(id) ?? '');
  }

  findCall(id: string): OpenCall | undefined {
    return this.calls.get(id);
  }

  /** A call whose tool gave a handle: results of it may come, and come again. */
  findLongRunning(id: string): OpenCall | undefined {
    return this.longRunning.get(id);
  }

  /** Calls without a response that no request is open for. */
  abandoned(): OpenCall[] {
    const isAsked = (id: string): boolean => this.requests.has(id) || this.requestOfCall.has(id);
    return [...this.calls].flatMap(([id, open]) => (isAsked(id) ? [] : [open]));
  }

  open(call: FunctionCall, event: Event): void {
    if (call.id === undefined || isRequestName(call.name)) return;
    this.calls.set(call.id, { call: withSnapshot(call), event });
  }

  /** Of two requests with one id the first stays. The result of a call that is not open is not awaited. */
  ask(request: PendingRequest, invocationId: string): void {
    if (this.requests.has(request.id)) return;
    if (request.kind === 'result') this.awaitResult(request, invocationId);
    else {
      this.requestOfCall.set(request.functionCallId, request.id);
      this.requests.set(request.id, { request: withSnapshot(request), invocationId });
    }
  }

  /** Takes a response that an event of the author holds. Only the user answers a request. */
  answer(response: FunctionResponse, author: string): void {
    const { id = '', name, willContinue } = response;
    if (isRequestName(name)) {
      if (author === 'user') this.close(this.findRequest(id)?.request, response);
    } else if (willContinue !== true) this.settle(id);
    else if (this.longRunning.has(id)) this.withInterim.add(id);
  }

  /** Whether a call of the event with that id has no response that a model could be told. */
  isWaiting(id: string, eventId: string): boolean {
    return this.calls.get(id)?.event.id === eventId && !this.withInterim.has(id);
  }

  private awaitResult(request: PendingRequest, invocationId: string): void {
    const open = this.calls.get(request.functionCallId);
    if (open === undefined) return;
    this.longRunning.set(request.functionCallId, open);
    this.requests.set(request.id, { request: { ...request, args: open.call.args ?? {} }, invocationId });
  }

  private settle(callId: string): void {
    this.calls.delete(callId);
    this.decisions.delete(callId);
    this.requests.delete(callId);
    this.longRunning.delete(callId);
    this.withInterim.delete(callId);
  }

  private close(request: PendingRequest | undefined, { response }: FunctionResponse): void {
    if (request === undefined) return;
    const decision = request.kind === 'confirmation' ? readDecision(request, response) : undefined;
    if (decision !== undefined) this.decisions.set(request.functionCallId, decision);
    this.requests.delete(request.id);
    this.requestOfCall.delete(request.functionCallId);
  }
}

/** With arguments that no reader of the event can change. */
function withSnapshot<Call extends { readonly args?: Record<string, unknown> }>(call: Call): Call {
  return call.args === undefined ? call : { ...call, args: frozenJson(call.args) };
}
