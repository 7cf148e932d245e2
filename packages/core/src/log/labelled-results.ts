import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';
import { Projection, SessionSlot } from './projection.js';

/**
 * What is known of the results of a tool: that they hold text of third parties (`untrusted`), or values that must not leave
 * (`confidential`). The traits of a tool have the same names.
 */
export type ResultLabel = 'untrusted' | 'confidential';

/** All labels. */
export const RESULT_LABELS = ['untrusted', 'confidential'] as const satisfies readonly ResultLabel[];

/** Names of tools, by label. */
export type LabelledTools = Readonly<Record<ResultLabel, readonly string[]>>;

const NONE: readonly string[] = Object.freeze([]);

/** No tool for any label. */
export const NO_LABELLED_TOOLS: LabelledTools = Object.freeze({ untrusted: NONE, confidential: NONE });

/** The key of an event's custom metadata for the names of tools whose results in it have a label. */
export function labelKey<Label extends ResultLabel>(label: Label): `adorn:${Label}` {
  return `adorn:${label}`;
}

/** The key for untrusted results. */
export const UNTRUSTED = labelKey('untrusted');

const indexes = new SessionSlot(() => new LabelledResults());

/**
 * The tools whose untrusted or confidential results a conversation holds. A model reads them in every later turn, so they
 * count until a rewind undoes them.
 */
export class LabelledResults extends Projection {
  private readonly tools: Readonly<Record<ResultLabel, Set<string>>> = {
    untrusted: new Set(),
    confidential: new Set(),
  };

  /** The names of the tools whose results have the label, in the order in which they answered first. */
  static of(session: Session, label: ResultLabel): readonly string[] {
    const index = indexes.of(session);
    index.catchUp(session);
    const tools = index.tools[label];
    return tools.size === 0 ? NONE : [...tools];
  }

  protected override reset(): void {
    for (const label of RESULT_LABELS) this.tools[label].clear();
  }

  /** Adds the tools that the event names. */
  protected override apply(event: Event): void {
    for (const label of RESULT_LABELS)
      for (const name of labelledIn(event, label)) this.tools[label].add(name);
  }
}

/** The tools whose results in an event have the label. */
export function labelledIn({ author, customMetadata }: Event, label: ResultLabel): readonly string[] {
  const names: unknown = author === 'user' ? undefined : customMetadata?.[labelKey(label)];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : NONE;
}
