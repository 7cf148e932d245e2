import { type Principal, principalToStore, readPrincipal, toPrincipal } from '../approvals/principal.js';
import type { Event } from './event.js';

/** The key of a message's custom metadata for the principal who sent it. Absent for the user of the session. */
const REQUESTER = 'adorn:requester';

/** The custom metadata that records who sent a message; undefined for the user of the session, of whom nothing else is known. */
export function requesterMetadata(
  requester: Principal,
  userId: string,
): Readonly<Record<string, unknown>> | undefined {
  const isPlain = requester.id === userId && principalToStore(requester) === undefined;
  return isPlain ? undefined : { [REQUESTER]: requester };
}

/** Who sent a message of a user. */
export function requesterIn({ customMetadata }: Event, userId: string): Principal {
  return readPrincipal(customMetadata?.[REQUESTER]) ?? toPrincipal(userId, 'the session');
}
