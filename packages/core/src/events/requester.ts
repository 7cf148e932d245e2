import { type Principal, principalToStore, readPrincipal, toPrincipal } from '../approvals/principal.js';
import type { Event } from './event.js';

/** The key of a message's custom metadata for the principal who sent it. Absent for the user of the session. */
const REQUESTER = 'adorn:requester';

type Metadata = Readonly<Record<string, unknown>>;

/** The principal, for the log; undefined for the user of the session, of whom nothing else is known. */
export function requesterToStore(requester: Principal, userId: string): Principal | undefined {
  const isPlain = requester.id === userId && principalToStore(requester) === undefined;
  return isPlain ? undefined : requester;
}

/** Custom metadata with who sent a message, and with no other claim of it. */
export function withRequester(metadata: Metadata | undefined, requester: Principal | undefined) {
  if (requester !== undefined) return { ...metadata, [REQUESTER]: requester };
  if (metadata?.[REQUESTER] === undefined) return metadata;
  const { [REQUESTER]: _claimed, ...others } = metadata;
  return others;
}

/** True if an event says who began its run. */
export function saysRequester({ author, customMetadata }: Event): boolean {
  return author === 'user' && customMetadata?.[REQUESTER] !== undefined;
}

/** Who sent a message of a user. */
export function requesterIn({ customMetadata }: Event, userId: string): Principal {
  return readPrincipal(customMetadata?.[REQUESTER]) ?? toPrincipal(userId, 'the session');
}
