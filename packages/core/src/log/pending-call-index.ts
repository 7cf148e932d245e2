import type { CredentialAnswer } from '../auth/requested-auth-config.js';
import type { FunctionCall, FunctionResponse } from '../events/genai-types.js';
import { readRules } from '../approvals/approver-rule.js';
import type { Delegation } from '../approvals/answer-authority.js';
import type { Principal } from '../approvals/principal.js';
import { frozenJson, present, composedKey } from '@adorn/schema';
import { isCallAsker } from '../events/call-asker.js';
import { isImported } from '../events/imported-answer.js';
import type { CallEnding } from '../events/call-ending.js';
import { callOfScope, toolScope } from '../events/event-place.js';
import type { Event } from '../events/event.js';
import {
  type AnsweredRequest,
  collectedWith,
  type Decision,
  delegationIn,
  isEdit,
  isRejection,
  isRequestName,
  type PendingRequestData,
  readDecision,
  textIn,
} from '../events/pending-request.js';

/** A call without its final response, and the event that holds the call. */
export interface OpenCall {
  readonly call: FunctionCall;
  readonly event: Event;
}

/** What the tool of a call ended with, and the arguments with which it ran. */
export interface RecordedEnding extends CallEnding {
  readonly args: Readonly<Record<string, unknown>>;
}

/** A request without an answer, and the invocation that made it. */
export interface OpenRequest {
  readonly request: PendingRequestData;
  readonly invocationId: string;
  /** The path of the agent run that made it; undefined in logs without paths. */
  readonly path: string | undefined;
  /** The scope of the agent that made it, if the agent runs as a tool. */
  readonly scope: string | undefined;
  /** True if an approval, which was not the last one that is needed, has changed the arguments. */
  readonly isEdited?: boolean;
}

/** Open calls and requests by id, updated with each event's calls, requests and responses. */
export class PendingCallIndex {
  readonly calls = new Map<string, OpenCall>();
  readonly requests = new Map<string, OpenRequest>();
  /** Decisions about calls that have not run yet. An approval still holds if a credential is requested after it. */
  readonly decisions = new Map<string, Decision>();
  /** Answered requests of the functions of calls, by call: a call that continues gets them all. */
  readonly answered = new Map<string, AnsweredRequest[]>();
  /** The keys of the credentials that people supplied, by call, one for each answer. */
  readonly supplied = new Map<string, readonly string[]>();
  /** What the tools ended with, by call, where a callback after the tool has asked a person. */
  readonly endings = new Map<string, RecordedEnding>();
  /** Tools that were approved for the whole session, by {@link rememberedKey}, with the digest of the definition that was shown. */
  readonly remembered = new Map<string, string>();
  private readonly requestOfCall = new Map<string, string>();
  /** Calls with an answered request: an answer under the id of the call may be an old one, sent again. */
  private readonly answeredCalls = new Set<string>();
  /** Calls whose tool returned a handle, until their final result. */
  private readonly longRunning = new Map<string, OpenCall>();
  /** Long-running calls with an interim result, which the model can be shown. */
  private readonly withInterim = new Set<string>();
  /** Open calls that were answered as pending. */
  private readonly acknowledged = new Set<string>();
  /** Other open calls with the id of an open call, as in logs of other kits. An answer to one could run another. */
  private readonly namesakes = new Map<string, OpenCall[]>();
  /** The ids of the calls and requests that agents made which run as tools, by scope. Settled ones are removed with the scope. */
  private readonly scoped = new Map<string, Set<string>>();

  /**
   * @param id of the request, or of the call that the request is about. The id of the call refers to its first request, and
   *   to any credential request, because supplying a credential approves nothing.
   */
  findRequest(id: string): OpenRequest | undefined {
    const request = this.requests.get(id);
    if (request) return request;
    const ofCall = this.requests.get(this.requestOfCall.get(id) as string);
    return ofCall?.request.kind !== 'credential' && this.answeredCalls.has(id) ? undefined : ofCall;
  }

  findCall(id: string): OpenCall | undefined {
    return this.calls.get(id);
  }

  /** A call whose tool returned a handle. It may get several results. */
  findLongRunning(id: string): OpenCall | undefined {
    return this.longRunning.get(id);
  }

  /** True if several open calls have the id. */
  isAmbiguous(callId: string): boolean {
    return this.namesakes.has(callId);
  }

  /** Calls without a response and without an open request. */
  abandoned(): OpenCall[] {
    const waiting = this.waitingCallers();
    const isAsked = (id: string): boolean =>
      this.requests.has(id) || this.requestOfCall.has(id) || waiting.has(id);
    return [...this.calls].flatMap(([id, open]) => (isAsked(id) ? [] : [open]));
  }

  /** True if the call runs an agent as a tool, where the agent waits for a person. */
  waitsBelow(callId: string): boolean {
    return this.waitingCallers().has(callId);
  }

  /** Calls that wait for a person and have no response at all, not even a pending one. */
  withoutResponse(): OpenCall[] {
    return [...this.requestOfCall.keys(), ...this.waitingCallers()].flatMap((id) => {
      const open = this.acknowledged.has(id) ? undefined : this.calls.get(id);
      return open ? [open] : [];
    });
  }

  /** Calls that run an agent as a tool, where the agent waits for a person. */
  private waitingCallers(): ReadonlySet<string> {
    const waiting = new Set<string>();
    for (const request of this.requests.values()) {
      let { scope } = request;
      while (scope !== undefined) {
        const callId = callOfScope(scope);
        waiting.add(callId);
        scope = this.calls.get(callId)?.event.isolationScope;
      }
    }
    return waiting;
  }

  /** Opens a call. Ignored if its scope is closed. It never replaces an open call with the same id. */
  open(call: FunctionCall, event: Event): void {
    const { id } = call;
    if (id === undefined || isRequestName(call.name) || !this.enter(event.isolationScope, id)) return;
    const opened = { call: withSnapshot(call), event };
    if (!this.calls.has(id)) this.calls.set(id, opened);
    else this.namesakes.set(id, [...(this.namesakes.get(id) ?? []), opened]);
  }

  /** Opens a request. Ignored if its id is taken, its scope is closed, or it awaits the result of a call that is not open. */
  ask(request: PendingRequestData, asked: Omit<OpenRequest, 'request'>, ending?: CallEnding): void {
    if (this.requests.has(request.id) || !this.enter(asked.scope, request.id)) return;
    if (request.kind === 'result') this.awaitResult({ request, ...asked });
    else {
      const { functionCallId, args } = request;
      if (ending) this.endings.set(functionCallId, { ...ending, args: frozenJson(args) });
      this.requestOfCall.set(request.functionCallId, request.id);
      this.requests.set(request.id, { request: withSnapshot(request), ...asked });
    }
  }

  /** Applies a response. Requests are answered only by the author `user`. */
  answer(response: FunctionResponse, author: string): void {
    const { id = '', name, willContinue } = response;
    if (isRequestName(name)) {
      if (author === 'user' && willContinue === true) this.count(this.findRequest(id), response);
      else if (author === 'user') this.close(this.findRequest(id)?.request, response);
    } else if (willContinue !== true) this.settle(id);
    else if (this.longRunning.has(id)) this.withInterim.add(id);
    else if (this.calls.has(id)) this.acknowledged.add(id);
  }

  /** True if a call of the event has no response that the model can be shown. */
  isWaiting(id: string, eventId: string): boolean {
    return this.calls.get(id)?.event.id === eventId && !this.withInterim.has(id);
  }

  private awaitResult({ request, ...asked }: OpenRequest): void {
    const open = this.calls.get(request.functionCallId);
    if (!open) return;
    this.longRunning.set(request.functionCallId, open);
    this.requests.set(request.id, { ...asked, request: { ...request, args: open.call.args ?? {} } });
  }

  /**
   * Notes the scope of a call or request. False if the call that runs the agent as a tool has its final response: a
   * cancelled agent may still write to the log.
   */
  private enter(scope: string | undefined, id: string): boolean {
    if (scope === undefined) return true;
    const callId = callOfScope(scope);
    const caller = this.calls.get(callId);
    if (!caller || (scope !== callId && scope !== toolScope(caller.event.id, callId))) return false;
    const ids = this.scoped.get(scope);
    if (!ids) this.scoped.set(scope, new Set([id]));
    else ids.add(id);
    return true;
  }

  /** Closes the open calls and requests of the agent that a settled call ran as a tool: nobody waits for them. */
  private closeScope(scope: string): void {
    const ids = this.scoped.get(scope);
    if (!ids) return;
    this.scoped.delete(scope);
    for (const id of ids) {
      if (this.calls.get(id)?.event.isolationScope === scope) this.settle(id);
      if (this.requests.get(id)?.scope === scope) this.requests.delete(id);
    }
  }

  private settle(callId: string): void {
    const settled = this.calls.get(callId);
    if (settled && this.scoped.size > 0) {
      this.closeScope(toolScope(settled.event.id, callId));
      this.closeScope(callId);
    }
    const requestId = this.requestOfCall.get(callId);
    if (requestId !== undefined) this.requests.delete(requestId);
    this.requestOfCall.delete(callId);
    this.calls.delete(callId);
    this.decisions.delete(callId);
    this.answered.delete(callId);
    this.supplied.delete(callId);
    this.endings.delete(callId);
    this.requests.delete(callId);
    this.longRunning.delete(callId);
    this.withInterim.delete(callId);
    this.acknowledged.delete(callId);
    this.answeredCalls.delete(callId);
    if (this.namesakes.has(callId)) this.openNamesake(callId);
  }

  /** Opens the next call with the id of a settled one. It is unknown whose requests these were, so all are closed. */
  private openNamesake(callId: string): void {
    const [next, ...others] = this.namesakes.get(callId) ?? [];
    if (next) this.calls.set(callId, next);
    if (others.length === 0) this.namesakes.delete(callId);
    else this.namesakes.set(callId, others);
    for (const { request } of [...this.requests.values()])
      if (request.functionCallId === callId) this.requests.delete(request.id);
  }

  /** Notes one approval of several: the request stays open. One that changes the arguments makes the earlier ones void. */
  private count(open: OpenRequest | undefined, { response = {} }: FunctionResponse): void {
    if (!open || isImported(response)) return;
    const { request } = open;
    const delegation = delegationIn(response);
    if (delegation) this.delegate(open, delegation);
    if (delegation || request.kind !== 'confirmation' || response['confirmed'] !== true) return;
    const { args } = readDecision(request, response) ?? {};
    const isEdited = isEdit(request, args);
    const approvals = collectedWith(request, response);
    const changed = isEdited ? { args: frozenJson(args), ...questionIn(response) } : undefined;
    this.requests.set(request.id, {
      ...open,
      request: { ...request, ...changed, approvals },
      isEdited: isEdited || open.isEdited === true,
    });
  }

  private delegate(open: OpenRequest, delegation: Delegation): void {
    const { request } = open;
    const delegations = [...(request.delegations ?? []), delegation];
    this.requests.set(request.id, { ...open, request: { ...request, delegations } });
  }

  private close(request: PendingRequestData | undefined, { response = {} }: FunctionResponse): void {
    if (!request) return;
    const { id, functionCallId, authConfig } = request;
    if (authConfig) {
      const earlier = this.supplied.get(functionCallId) ?? [];
      this.supplied.set(functionCallId, [...earlier, authConfig.credentialKey]);
    }
    const holds = !isImported(response) || isRejection(request, response);
    if (!this.isAmbiguous(functionCallId) && holds) {
      const isOfFunction = isCallAsker(request.askedBy);
      const isDecision = request.kind === 'confirmation' && !isOfFunction;
      if (isDecision || isRejection(request, response)) this.decide(request, response);
      else if (isOfFunction) this.keep({ request, response });
    }
    this.requests.delete(id);
    if (this.requestOfCall.get(functionCallId) === id) this.requestOfCall.delete(functionCallId);
    this.answeredCalls.add(functionCallId);
  }

  private decide(request: PendingRequestData, response: Readonly<Record<string, unknown>>): void {
    const decision = readDecision(request, response);
    if (!decision) return;
    // Arguments that an earlier approval changed stay changed.
    const { args } = { ...this.decisions.get(request.functionCallId), ...decision };
    this.decisions.set(request.functionCallId, args ? { ...decision, args } : decision);
    const isRemembered = decision.confirmation.confirmed && response['remember'] === 'session';
    if (isRemembered && request.definition !== undefined) this.remember(request, request.definition);
  }

  private remember({ tool, requester, remember = '' }: PendingRequestData, definition: string): void {
    if (remember !== false) this.remembered.set(rememberedKey(tool, requester, remember), definition);
  }

  private keep(answered: AnsweredRequest): void {
    const { functionCallId } = answered.request;
    const earlier = this.answered.get(functionCallId);
    if (!earlier) this.answered.set(functionCallId, [answered]);
    else earlier.push(answered);
  }
}

/**
 * The key of a tool that was approved for the whole session: for the calls of one requester. Another one who uses the session, or
 * the same for another tenant, asks anew.
 *
 * @param requester as it is stored: undefined for the user of the session
 * @param key of the calls that are covered; empty for all of the tool
 */
export function rememberedKey(tool: string, requester: Principal | undefined, key: string): string {
  const { id = '', tenant = '', actsFor = '' } = requester ?? {};
  return composedKey(tool, id, tenant, actsFor, key);
}

/** What is asked about changed arguments. */
function questionIn({ approvers, hint }: Readonly<Record<string, unknown>>) {
  const rules = readRules(approvers);
  return present({ approvers: rules.length > 0 ? rules : undefined, hint: textIn(hint) });
}

/** Copies the arguments, so that readers of the event cannot change them. */
function withSnapshot<Call extends { readonly args?: Record<string, unknown> }>(call: Call): Call {
  return call.args ? { ...call, args: frozenJson(call.args) } : call;
}

/** An answer to a waiting call, with the earlier decision about the call. */
export interface Answer extends Partial<Decision> {
  readonly open: OpenCall;
  /** The answered request. Absent for a result, and for calls that run again without an answer of their own. */
  readonly request?: PendingRequestData;
  /**
   * `again`: the call passes the gates again, with the answer. `result`: the answer is the result of the call. `uncalled`:
   * no call waited, but the listing of a toolset, or a composite. `counted`: an approval of several, and the call goes on waiting.
   */
  readonly kind: 'again' | 'result' | 'uncalled' | 'counted';
  /**
   * True if the tool may have taken effect, and what it ended with is not known: a process died during the call, before or
   * after a question about it. The tool runs only if it may run twice.
   */
  readonly isInterrupted?: boolean | undefined;
  /** What the tool ended with, if a callback after it has asked: the callback continues, and the tool does not run. */
  readonly ending?: RecordedEnding | undefined;
  /** The answers to requests of the functions of the call. */
  readonly given?: readonly AnsweredRequest[];
  /** The keys of the credentials that people have supplied for the call before, one for each answer. */
  readonly supplied?: readonly string[];
  /** The credential or consent that a person supplied. It is stored only in the credential service, never in the log. */
  readonly credential?: CredentialAnswer;
}
