import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';
import { Projection, SessionSlot } from './projection.js';

/** The key of an event's custom metadata for the names of tools whose results in it are untrusted. */
export const UNTRUSTED = 'adorn:untrusted';

const indexes = new SessionSlot(() => new UntrustedResults());

/**
 * The tools whose untrusted results a conversation holds. A model reads them in every later turn, so they count until a
 * rewind undoes them.
 */
export class UntrustedResults extends Projection {
  private readonly tools = new Set<string>();

  /** The names of the tools, in the order in which they answered first. */
  static of(session: Session): readonly string[] {
    const index = indexes.of(session);
    index.catchUp(session);
    return [...index.tools];
  }

  protected override reset(): void {
    this.tools.clear();
  }

  protected override apply(event: Event): void {
    for (const name of untrustedIn(event)) this.tools.add(name);
  }
}

/** The tools whose untrusted results an event contains. */
export function untrustedIn({ author, customMetadata }: Event): readonly string[] {
  const names: unknown = author === 'user' ? undefined : customMetadata?.[UNTRUSTED];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : NONE;
}

const NONE: readonly string[] = Object.freeze([]);
