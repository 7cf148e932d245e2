import { AdornError, Event, type PendingRequest, type RunResult, type Session } from '@adorn/core';
import { isObject, kindOf } from '@adorn/core/backend';

/** What the matchers look at: the result of a run, a session, or events. */
export type RunSubject = RunResult<unknown> | Session | readonly Event[];

/** The parts of it that they read. */
export interface ReadSubject {
  readonly events: readonly Event[];
  /** Undefined where it is not known what waits. */
  readonly pending: readonly PendingRequest[] | undefined;
}

/** A matcher was given what is neither the result of a run nor a session nor events. */
export class RunSubjectInvalidError extends AdornError {
  readonly code = 'RUN_SUBJECT_INVALID';

  constructor(matcher: string, value: unknown) {
    const found = isThenable(value)
      ? 'a promise'
      : Array.isArray(value)
        ? 'a list of something else'
        : kindOf(value);
    super(
      `${matcher} was given ${found}, not the result of a run, a session or a list of events. ` +
        'Await the run: expect(await runner.run({ … })).',
    );
  }
}

/** @throws {RunSubjectInvalidError} */
export function readSubject(matcher: string, value: unknown): ReadSubject {
  if (Array.isArray(value) && value.every(isEvent)) return { events: value, pending: undefined };
  if (!isObject(value) || isThenable(value) || !Array.isArray(value['events'])) {
    throw new RunSubjectInvalidError(matcher, value);
  }
  const { events, pending } = value as { readonly events: readonly Event[]; readonly pending?: unknown };
  return { events, pending: Array.isArray(pending) ? (pending as readonly PendingRequest[]) : undefined };
}

function isEvent(value: unknown): value is Event {
  return value instanceof Event;
}

/** A run is a promise, too. */
function isThenable(value: unknown): boolean {
  return isObject(value) && typeof value['then'] === 'function';
}
