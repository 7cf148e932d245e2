import type { Event } from './event.js';

/** What was sent to a conversation and is not in its log yet: a message, or an answer to a request. */
export interface Mail {
  /** Unique in the session. */
  readonly id: string;
  /** What was sent, as JSON. Written and read by the runner; a store keeps it as it is. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Why the process that has the session did not take it. Whoever sent it reads this, and removes it. */
  readonly refusal?: string | undefined;
}

/** The key under which a store consumes a mail with the event that it becomes: once, whoever takes it. */
export function consumedAs({ id }: Pick<Mail, 'id'>): string {
  return `mail:${id}`;
}

/** The key of a message's custom metadata for the id under which it was sent by `runner.send`. */
export const SENT_AS = 'adorn:sentAs';

/** The key of the custom metadata of a message that a run read while it was going on: it begins neither a run nor a turn. */
export const READ_WITHIN = 'adorn:readWithin';

/** The id under which a message was sent. */
export function sentAs({ author, customMetadata }: Event): string | undefined {
  const id = author === 'user' ? customMetadata?.[SENT_AS] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** True for a message that was read between two model calls of a run. */
export function isReadWithin({ author, customMetadata }: Event): boolean {
  return author === 'user' && customMetadata?.[READ_WITHIN] === true;
}
