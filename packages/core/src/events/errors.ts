import { AdornError } from '@adorn/schema';

/** The value is not an event. */
export class EventInvalidError extends AdornError {
  readonly code = 'EVENT_INVALID';

  constructor(what: string, wanted: string, found: string) {
    super(
      `This is not an event: ${what} must be ${wanted} and is ${found}. ` +
        "Pass what an event's JSON.stringify wrote, or what an ADK server sent.",
    );
  }
}

/** An invocation wrote two events with the same id. */
export class EventIdTakenError extends AdornError {
  readonly code = 'EVENT_INVALID';

  constructor(readonly eventId: string) {
    super(
      `Two events of this invocation have the id "${eventId}". The second was not stored. ` +
        'Make each event with context.event, which gives it an id of its own.',
    );
  }
}

/** An event has a timestamp that is not a finite number, such as from a clock that returns NaN. */
export class EventTimeInvalidError extends AdornError {
  readonly code = 'EVENT_INVALID';

  constructor(timestamp: unknown) {
    const found = typeof timestamp === 'number' ? String(timestamp) : typeof timestamp;
    super(
      `The timestamp of an event is ${found}. The event was not stored. ` +
        'A timestamp, and so the result of Clock.now, is a finite number: seconds since 1970.',
    );
  }
}

/** An answer is for one of several open calls with the same id. The request stays pending. */
export class CallAmbiguousError extends AdornError {
  readonly code = 'CALL_AMBIGUOUS';

  constructor(readonly callId: string) {
    super(
      `Several open calls of this session have the id ${JSON.stringify(callId)}, so an answer could run another call than ` +
        'the one that was shown. Nothing was run; the request stays pending. Undo the turn with runner.rewind, or ' +
        'continue in another session.',
    );
  }
}

/** The answered request does not exist or is not open any more. */
export class RequestNotPendingError extends AdornError {
  readonly code = 'REQUEST_NOT_PENDING';

  constructor(
    /** The id that the answer named. */
    readonly requestId: string,
  ) {
    super(
      `No request "${requestId}" is pending in this session: it was never made here, or is answered already. ` +
        'Call runner.pending to list the open requests.',
    );
  }
}
