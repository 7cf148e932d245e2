import type { Principal } from '../approvals/principal.js';
import { functionCallsOf, functionResponsesOf } from '../events/content-parts.js';
import type { FunctionCall } from '../events/genai-types.js';
import { endingIn } from '../events/call-ending.js';
import type { Event } from '../events/event.js';
import { callOfScope, runPathOf } from '../events/event-place.js';
import {
  type AnsweredRequest,
  answersCalls,
  type Decision,
  isRejection,
  isRequestName,
  type PendingRequestData,
  requestsOf,
} from '../events/pending-request.js';
import type { Session } from '../events/session.js';
import {
  type Answer,
  type OpenCall,
  type OpenRequest,
  PendingCallIndex,
  rememberedKey,
} from './pending-call-index.js';
import { Projection, SessionSlot } from './projection.js';

/** The part of an answer that earlier answers about the same call determine. */
export type CallRecord = Pick<
  Answer,
  'confirmation' | 'reason' | 'at' | 'shown' | 'args' | 'given' | 'supplied' | 'ending'
>;

const indexes = new SessionSlot(() => new PendingIndex());

/** Index of the unanswered calls and requests of a session. */
export class PendingIndex extends Projection {
  /** The last event with calls, until another event follows: most calls are answered at once and never looked up. */
  private latest: Event | undefined;
  /** Created when a call or request first stays open. */
  private index: PendingCallIndex | undefined;
  /** How often each key was consumed, counted after a rewind, which may have undone answers. */
  private answered: ReadonlyMap<string, number> | undefined;
  /** The ids of requests that were answered otherwise than by a rejection, undone answers included. */
  private granted: ReadonlySet<string> | undefined;

  /** The index of a session, up to date. */
  static of(session: Session): PendingIndex {
    const index = indexes.of(session);
    index.catchUp(session);
    return index;
  }

  /** Every open request, oldest first. */
  list(): OpenRequest[] {
    return [...(this.index?.requests.values() ?? [])];
  }

  /** True if an open request is one of these. */
  hasRequest(isMeant: (open: OpenRequest) => boolean): boolean {
    if (!this.index) return false;
    for (const open of this.index.requests.values()) if (isMeant(open)) return true;
    return false;
  }

  /** By the id of the request or of the call that waits. */
  find(id: string): OpenRequest | undefined {
    return this.index?.findRequest(id);
  }

  /**
   * The key that a store consumes with the answer to an open request, so that it is answered once: the request's id,
   * with a suffix if a rewind undid earlier answers.
   */
  consumptionKey(requestId: string): string {
    const undone = this.answered?.get(requestId) ?? 0;
    return undone === 0 ? requestId : `${requestId}~${String(undone)}`;
  }

  /** The key that a store consumes with the final result of a long-running call. */
  consumptionKeyOfResult({ call, event }: OpenCall): string {
    return this.consumptionKey(placeOf(call, event));
  }

  /** The call with this id, if its final response is still missing. */
  findCall(id: string): OpenCall | undefined {
    this.openLatest();
    return this.index?.findCall(id);
  }

  /** True if several open calls have the id, so that it is unknown which of them an answer is for. */
  isAmbiguous(callId: string): boolean {
    this.openLatest();
    return this.index?.isAmbiguous(callId) === true;
  }

  /** The open calls that run the agent of a scope as a tool, and the agents around that, from the inside out. */
  callersOf(scope: string | undefined): OpenCall[] {
    const callers: OpenCall[] = [];
    for (let inner = scope; inner !== undefined;) {
      const caller = this.findCall(callOfScope(inner));
      if (caller) callers.push(caller);
      inner = caller?.event.isolationScope;
    }
    return callers;
  }

  /** The call with this id, if its tool returned a handle: the result arrives from outside. */
  findLongRunning(id: string): OpenCall | undefined {
    return this.index?.findLongRunning(id);
  }

  /** What the log has about an open call: the decision of a person, the answers to its functions, what its tool ended with. */
  recordOf(callId: string): CallRecord {
    return {
      ...this.decisionOn(callId),
      given: this.answeredOf(callId),
      supplied: this.suppliedFor(callId),
      ending: this.index?.endings.get(callId),
    };
  }

  /** The decision of a person about an open call. */
  decisionOn(callId: string): Decision | undefined {
    return this.index?.decisions.get(callId);
  }

  /** Answered requests of the functions of an open call. */
  answeredOf(callId: string): readonly AnsweredRequest[] {
    return this.index?.answered.get(callId) ?? [];
  }

  /** The keys of the credentials that people have supplied for an open call, one for each answer. */
  suppliedFor(callId: string): readonly string[] {
    return this.index?.supplied.get(callId) ?? [];
  }

  /**
   * The digest of the definition under which the calls of a requester to a tool are approved for the whole session; undefined if
   * they are not.
   *
   * @param requester as it is stored: undefined for the user of the session
   * @param key of the calls, see `Tool.rememberKeyOf`
   */
  rememberedDefinition(tool: string, requester: Principal | undefined, key = ''): string | undefined {
    return this.index?.remembered.get(rememberedKey(tool, requester, key));
  }

  /** Every call without its final response, oldest first. */
  calls(): OpenCall[] {
    this.openLatest();
    return [...(this.index?.calls.values() ?? [])];
  }

  /** Calls without a response and without an open request: their run ended before the calls did. */
  abandoned(): OpenCall[] {
    this.openLatest();
    return this.index?.abandoned() ?? [];
  }

  /** True if a call runs an agent as a tool, in which a call waits for a person. */
  waitsBelow(callId: string): boolean {
    return this.index?.waitsBelow(callId) === true;
  }

  /** Calls that wait for a person and have no pending response: their process died between the two events. */
  withoutResponse(): OpenCall[] {
    return this.index?.withoutResponse() ?? [];
  }

  /**
   * True if a call of the event still waits for a response that the model can be shown.
   *
   * @param settled ids of calls that are about to be answered
   */
  isWaiting(event: Event, settled?: ReadonlySet<string>): boolean {
    this.openLatest();
    const { index } = this;
    if (!index) return false;
    return functionCallsOf(event.content).some(
      ({ id = '' }) => index.isWaiting(id, event.id) && settled?.has(id) !== true,
    );
  }

  protected override reset(events: readonly Event[]): void {
    this.latest = undefined;
    this.index = undefined;
    this.answered = countAnswers(events);
    this.granted = grantedIn(events);
  }

  protected override apply(event: Event): void {
    if (!event.content) return;
    if (this.latest && settlesAll(this.latest, event)) {
      this.latest = undefined;
      return;
    }
    const { parts = [] } = event.content;
    if (parts.some(({ functionCall }) => functionCall !== undefined)) this.beginWith(event);
    if (answersCalls(event)) {
      for (const { functionResponse } of parts)
        if (functionResponse) this.opened().answer(functionResponse, event.author);
    }
    for (const asked of requestsOf(event)) {
      const { invocationId, isolationScope: scope } = event;
      const request = this.granted?.has(asked.id) === true ? afterEffect(asked) : asked;
      this.opened().ask(request, { invocationId, path: runPathOf(event), scope }, endingIn(event));
    }
  }

  private beginWith(event: Event): void {
    this.openLatest();
    this.latest = event;
  }

  /** The index with all open calls in it. */
  private opened(): PendingCallIndex {
    this.openLatest();
    return (this.index ??= new PendingCallIndex());
  }

  private openLatest(): void {
    const { latest } = this;
    if (!latest) return;
    this.latest = undefined;
    this.index ??= new PendingCallIndex();
    for (const call of functionCallsOf(latest.content)) this.index.open(call, latest);
  }
}

/** True if an event holds the final responses to all calls of another, in order, and nothing else. */
function settlesAll(made: Event, event: Event): boolean {
  if (!answersCalls(event)) return false;
  const calls = functionCallsOf(made.content);
  const parts = event.content?.parts ?? [];
  if (parts.length !== calls.length) return false;
  return parts.every(({ functionResponse: response }, index) => {
    return response !== undefined && response.willContinue !== true && response.id === calls[index]?.id;
  });
}

/** How often each request was answered, and each call got a final result of a user, by key, undone answers included. */
function countAnswers(events: readonly Event[]): Map<string, number> {
  const counts = new Map<string, number>();
  const places = new Map<string, string>();
  for (const event of events) {
    const { author, content } = event;
    if (author !== 'user') {
      for (const call of functionCallsOf(content)) places.set(call.id ?? '', placeOf(call, event));
      continue;
    }
    for (const { id = '', name, willContinue } of functionResponsesOf(content)) {
      if (willContinue === true) continue;
      const key = isRequestName(name) ? id : (places.get(id) ?? id);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** The ids of the requests that were answered so that the call could run. */
function grantedIn(events: readonly Event[]): Set<string> {
  const requests = new Map<string, PendingRequestData>();
  const granted = new Set<string>();
  for (const event of events) {
    for (const request of requestsOf(event)) requests.set(request.id, request);
    if (event.author !== 'user') continue;
    for (const { id = '', name, response, willContinue } of functionResponsesOf(event.content)) {
      if (willContinue === true) continue;
      const request = isRequestName(name) ? requests.get(id) : undefined;
      if (request && !isRejection(request, response)) granted.add(id);
    }
  }
  return granted;
}

/** A request that a rewind has opened again: its call has run by the answer that was undone. */
function afterEffect(request: PendingRequestData): PendingRequestData {
  return { ...request, mayHaveTakenEffect: true };
}

/** The place of a call in the log, because models reuse call ids: the id of its event, and its number among the calls there. */
function placeOf({ id }: FunctionCall, { id: eventId, content }: Event): string {
  return `${eventId}/${String(functionCallsOf(content).findIndex((call) => call.id === id))}`;
}
