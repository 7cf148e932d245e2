import { isObject, present } from '@adorn/schema';

import type { Event } from './event.js';

/** What a person says about the log: keys of the custom metadata of an event that holds it, and nothing for a model. */
const KINDS = { feedback: 'adorn:feedback', settlement: 'adorn:settlement' } as const;
const KEYS = Object.values(KINDS);

type RemarkKind = keyof typeof KINDS;
type Metadata = Readonly<Record<string, unknown>>;

/** The custom metadata of an event with a remark. Its time is that of the event. */
export function remarkMetadata(
  kind: RemarkKind,
  { at: _at, ...said }: object & { readonly at: number },
): Metadata {
  return { [KINDS[kind]]: present(said) };
}

/**
 * True for an event with which a person says something about the log, and which is no step of a run: feedback, or the settlement of
 * an effect. No model reads it.
 */
export function isRemark(event: Event): boolean {
  return KEYS.some((key) => holds(event, key));
}

/** True for a remark of a kind. */
export function isRemarkOf(kind: RemarkKind, event: Event): boolean {
  return holds(event, KINDS[kind]);
}

/** What a remark of a kind holds, as it is stored; undefined for any other event. */
export function remarkIn(kind: RemarkKind, event: Event): Metadata | undefined {
  const stored = isRemarkOf(kind, event) ? event.customMetadata?.[KINDS[kind]] : undefined;
  return isObject(stored) ? stored : undefined;
}

/**
 * The event without what was said in it, if it is a remark: it is about the conversation in which it was made, and a log of
 * somebody else proves and settles nothing. Any other event is returned unchanged.
 */
export function withoutRemark(event: Event): Event {
  const held = KEYS.filter((key) => holds(event, key));
  if (held.length === 0) return event;
  const emptied = Object.fromEntries(held.map((key) => [key, {}]));
  return event.with({ customMetadata: { ...event.customMetadata, ...emptied } });
}

function holds({ author, content, customMetadata }: Event, key: string): boolean {
  return author === 'user' && content === undefined && customMetadata?.[key] !== undefined;
}
