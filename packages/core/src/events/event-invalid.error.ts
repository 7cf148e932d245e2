import { AdornError } from '../errors/adorn.error.js';

/** What was read is no event. */
export class EventInvalidError extends AdornError {
  readonly code = 'EVENT_INVALID';

  constructor(what: string, wanted: string, found: string) {
    super(
      `This is not an event: ${what} must be ${wanted} and is ${found}. ` +
        "Pass what an event's JSON.stringify wrote, or what an ADK server sent.",
    );
  }
}

/** An invocation wrote two events with one id. */
export class EventIdTakenError extends AdornError {
  readonly code = 'EVENT_INVALID';

  constructor(readonly eventId: string) {
    super(
      `Two events of this invocation have the id "${eventId}". The second was not stored. ` +
        'Make each event with context.event, which gives it an id of its own.',
    );
  }
}
