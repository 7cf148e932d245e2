import { Event, type EventFields } from '@adorn/core';

import { EventTooLargeError } from '../errors/event-too-large.error.js';

/**
 * @param limit in bytes, counted as UTF-16 units: close enough, and free
 * @throws {EventTooLargeError}
 */
export function bodyOf(event: Event, limit: number): string {
  const body = JSON.stringify(event);
  if (body.length > limit) throw new EventTooLargeError(`The event ${event.id}`, body.length, limit);
  return body;
}

/** The body was written by `bodyOf`: it is read without being checked again. */
export function eventOf(body: string): Event {
  return new Event(JSON.parse(body) as EventFields);
}
