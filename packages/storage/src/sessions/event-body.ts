import { Event } from '@adorn/core';
import type { EventFields } from '@adorn/core/backend';

import { storedObject } from '../database/stored-json.js';
import { EventTooLargeError } from '../errors/errors.js';

/** An event, and the length of its body. */
export interface SizedEvent {
  readonly event: Event;
  readonly size: number;
}

/**
 * @param limit in bytes, counted as UTF-16 units: close enough, and free
 * @throws {EventTooLargeError}
 */
export function bodyOf(event: Event, limit: number): string {
  const body = JSON.stringify(event);
  if (body.length > limit) throw new EventTooLargeError(`The event ${event.id}`, body.length, limit);
  return body;
}

/**
 * The body was written by `bodyOf`: its fields are not checked again.
 *
 * @throws {StorageRowDamagedError}
 */
export function eventOf(body: string, sessionNo: number, seq: number): Event {
  const row = (): string => `session_no ${String(sessionNo)}, seq ${String(seq)}`;
  return new Event(storedObject(body, 'adorn_events', row) as EventFields);
}
