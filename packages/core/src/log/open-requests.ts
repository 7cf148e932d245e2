import { functionResponsesOf } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import { type PendingRequest, pendingRequest } from '../events/pending-request.js';
import { keyOf, type Session } from '../events/session.js';
import { PendingIndex } from './pending-index.js';

/** A request that waits for an answer, with the time at which it was made. */
export interface OpenRequestRecord extends PendingRequest {
  /** In seconds since 1970. */
  readonly askedAt: number;
}

/** The place of a request in the list of an application: the oldest first. */
export type OpenRequestPlace = Pick<OpenRequestRecord, 'askedAt' | 'userId' | 'sessionId' | 'id'>;

/** Which open requests a store lists. */
export interface OpenRequestQuery {
  /** The application. */
  readonly appName: string;
  /** Only requests in the sessions of this user. */
  readonly userId?: string | undefined;
  /** Only requests of calls of this tool. */
  readonly tool?: string | undefined;
  /** Only requests that were made before that time, in seconds since 1970. */
  readonly askedBefore?: number | undefined;
  /** The last request of the page before: the list goes on behind it, whether it is still open or not. */
  readonly after?: OpenRequestPlace | undefined;
  /** Default: no limit. */
  readonly limit?: number | undefined;
}

/** The open requests of a session, oldest first: what a store keeps an index of. */
export function openRequestsOf(session: Session): OpenRequestRecord[] {
  const key = keyOf(session);
  return PendingIndex.of(session)
    .list()
    .map((open) => pendingRequest(open.request, key, open))
    .map((request) => ({ ...request, askedAt: request.askedAt ?? 0 }));
}

/**
 * True if an event may open or close a request of its session, or change an open one. Few events do: a store looks at the log of a
 * session again only after these.
 *
 * @param session as it is before the event. Default: unknown, so that every response may answer a request
 */
export function mayChangeRequests(event: Event, session?: Session): boolean {
  if (event.actions.rewindBeforeInvocationId !== undefined || event.longRunningToolIds.length > 0)
    return true;
  if (functionResponsesOf(event.content).length === 0) return false;
  return session === undefined || PendingIndex.of(session).hasRequest(() => true);
}

/** Orders requests as a list of an application has them. */
export function byPlace(a: OpenRequestPlace, b: OpenRequestPlace): number {
  if (a.askedAt !== b.askedAt) return a.askedAt - b.askedAt;
  for (const field of ['userId', 'sessionId', 'id'] as const)
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return 0;
}
