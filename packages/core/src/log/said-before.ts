import type { Event } from '../events/event.js';

/**
 * The key of an event's metadata for the id of the event that it stands before: words of the user that were transcribed after
 * their answer was stored.
 */
export const SAID_BEFORE = 'adorn:saidBefore';

/** True for an event that stands before one that is stored already. */
export function isSaidBefore({ author, customMetadata }: Event): boolean {
  return author === 'user' && typeof customMetadata?.[SAID_BEFORE] === 'string';
}

/** Entries in the order of the conversation: each event that stands before another one is moved there, if that is among them. */
export function inOrderOfSpeech<Entry extends { readonly event: Event }>(entries: readonly Entry[]): Entry[] {
  const ordered: Entry[] = [];
  for (const entry of entries) {
    const { event } = entry;
    const before = isSaidBefore(event) ? event.customMetadata?.[SAID_BEFORE] : undefined;
    const at = before === undefined ? -1 : ordered.findLastIndex((other) => other.event.id === before);
    ordered.splice(at === -1 ? ordered.length : at, 0, entry);
  }
  return ordered;
}
