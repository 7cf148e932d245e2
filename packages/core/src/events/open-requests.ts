import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import { logOf, Projection, type Session } from './session.js';
import type { Event } from './event.js';
import { OpenBook, type OpenCall, type OpenRequest } from './open-book.js';
import { answersCalls, type Decision, requestsOf } from './requests-of.js';
import { isRequestName } from './pending-request.js';
import { standingEvents } from './standing-events.js';

const indexes = new Projection(() => new OpenRequests());

/**
 * What is unanswered in a session: an index of its log, kept up behind a cursor, so that no event is looked at
 * twice and nothing is searched for. A rewind drops it, and it is made once from what still stands.
 */
export class OpenRequests {
  private cursor = 0;
  /** The last event with calls, while nothing has answered it: most are answered at once, and never looked up. */
  private latest: Event | undefined;
  /** Begun when something first stays open. */
  private book: OpenBook | undefined;
  /** How often each request was answered, where a rewind may have undone answers. */
  private answered: ReadonlyMap<string, number> | undefined;

  static of(session: Session): OpenRequests {
    const index = indexes.of(session);
    index.catchUp(logOf(session));
    return index;
  }

  /** Every open request, oldest first. */
  list(): OpenRequest[] {
    return [...(this.book?.requests.values() ?? [])];
  }

  /** By the id of the request or of the call that waits. */
  find(id: string): OpenRequest | undefined {
    return this.book?.findRequest(id);
  }

  /**
   * What a store marks as used by the answer to an open request: the request's id, but another one when earlier
   * answers to it were undone.
   */
  ticketOf(requestId: string): string {
    const undone = this.answered?.get(requestId) ?? 0;
    return undone === 0 ? requestId : `${requestId}~${String(undone)}`;
  }

  /** The call that bears the id and is still without its real response. */
  findCall(id: string): OpenCall | undefined {
    this.openLatest();
    return this.book?.findCall(id);
  }

  /** The call that bears the id, where its tool gave a handle: its result comes from outside. */
  findLongRunning(id: string): OpenCall | undefined {
    return this.book?.findLongRunning(id);
  }

  /** What a person decided about a call that is still open. */
  decisionOn(callId: string): Decision | undefined {
    return this.book?.decisions.get(callId);
  }

  /** Calls without a response that no request is open for: the run that made them ended before they did. */
  abandoned(): OpenCall[] {
    this.openLatest();
    return this.book?.abandoned() ?? [];
  }

  /**
   * True if any call of the event still waits.
   *
   * @param settled ids of calls that are about to be answered
   */
  isWaiting(event: Event, settled?: ReadonlySet<string>): boolean {
    this.openLatest();
    const { book } = this;
    if (book === undefined) return false;
    return functionCallsOf(event.content).some(
      ({ id = '' }) => book.isWaiting(id, event.id) && settled?.has(id) !== true,
    );
  }

  private catchUp(events: readonly Event[]): void {
    while (this.cursor < events.length) {
      const event = events[this.cursor++];
      if (event?.actions.rewindBeforeInvocationId !== undefined) this.rebuild(events);
      else if (event?.content !== undefined) this.take(event);
    }
  }

  private rebuild(events: readonly Event[]): void {
    this.latest = undefined;
    this.book = undefined;
    this.answered = countAnswers(events);
    for (const event of standingEvents(events)) if (event.content !== undefined) this.take(event);
    this.cursor = events.length;
  }

  private take(event: Event): void {
    if (this.latest !== undefined && settlesAll(this.latest, event)) {
      this.latest = undefined;
      return;
    }
    const parts = event.content?.parts ?? [];
    if (parts.some(({ functionCall }) => functionCall !== undefined)) this.beginWith(event);
    if (answersCalls(event)) {
      for (const { functionResponse } of parts)
        if (functionResponse !== undefined) this.opened().answer(functionResponse, event.author);
    }
    for (const request of requestsOf(event)) this.opened().ask(request, event.invocationId);
  }

  private beginWith(event: Event): void {
    this.openLatest();
    this.latest = event;
  }

  /** The book with everything in it that is open. */
  private opened(): OpenBook {
    this.openLatest();
    return (this.book ??= new OpenBook());
  }

  private openLatest(): void {
    const { latest } = this;
    if (latest === undefined) return;
    this.latest = undefined;
    this.book ??= new OpenBook();
    for (const call of functionCallsOf(latest.content)) this.book.open(call, latest);
  }
}

/** Whether an event answers every call of another for good, in their order: nothing of either stays open. */
function settlesAll(made: Event, event: Event): boolean {
  if (!answersCalls(event)) return false;
  const calls = functionCallsOf(made.content);
  const parts = event.content?.parts ?? [];
  if (parts.length !== calls.length) return false;
  return parts.every(({ functionResponse: response }, index) => {
    return response !== undefined && response.willContinue !== true && response.id === calls[index]?.id;
  });
}

/** How often each request was answered, by its id, in a log part of which was undone. */
function countAnswers(events: readonly Event[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { author, content } of events) {
    if (author !== 'user') continue;
    for (const { id, name } of functionResponsesOf(content))
      if (id !== undefined && isRequestName(name)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
