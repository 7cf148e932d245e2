import { functionResponsesOf } from '../../events/content-parts.js';
import { isRequestName } from '../../events/pending-request.js';
import type { Session } from '../../events/session.js';
import { contentForModel } from '../../events/responses-for-model.js';
import { shownEntries } from '../compaction-event.js';
import { sizeOfValue } from '../content-size.js';
import { effectiveEntries } from '../effective-events.js';
import { cutsOf } from '../shortening.js';
import { beginsTurn } from '../invocation-chains.js';
import { type HistoryPlace, type Viewer, ViewOfLog } from './model-view.js';

/** A result that an agent's model reads. */
export interface ShownResult {
  /** The sequence number of the event with the response. */
  readonly seq: number;
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** What a model reads of it, in bytes. */
  readonly size: number;
  /** True for a result that came after the last answer of the agent's model. */
  readonly isNew: boolean;
  /** True for a result of the agent's own call. */
  readonly isOwn: boolean;
}

/** What of a conversation can be taken out of an agent's requests, oldest first. */
export interface ShownConversation {
  /** Oldest first. */
  readonly results: readonly ShownResult[];
  /** The size of thoughts before the current turn, in bytes, and the last sequence number before that turn. */
  readonly thoughts: { readonly size: number; readonly to: number };
}

/** Reads the whole log: for requests that are too long, and not for others. */
export function shownConversation(session: Session, viewer: Viewer, place: HistoryPlace): ShownConversation {
  const view = new ViewOfLog(viewer, place);
  const effective = effectiveEntries(session);
  const cuts = cutsOf(effective);
  const entries = shownEntries(effective).filter(({ event }) => view.includes(event));
  const answered =
    entries.findLast(({ event }) => event.content?.role === 'model' && view.isOwn(event))?.seq ?? -1;
  const turn = entries.findLast(({ event }) => beginsTurn(event))?.seq ?? 0;
  const results: ShownResult[] = [];
  let thoughts = 0;
  for (const { event, seq } of entries) {
    const content = contentForModel(event);
    const cut = cuts?.get(event);
    if (seq < turn && cut?.withoutThoughts !== true)
      for (const part of content?.parts ?? []) if (part.thought === true) thoughts += sizeOfValue(part.text);
    for (const { id, name = '', response, willContinue } of functionResponsesOf(content)) {
      if (id === undefined || isRequestName(name) || willContinue === true) continue;
      const known = cut?.results.get(id);
      const whole = sizeOfValue(response);
      const size = known ? Math.min(whole, known.keep + NOTE) : whole;
      results.push({ seq, id, name, size, isNew: seq > answered, isOwn: view.isOwn(event) });
    }
  }
  return { results, thoughts: { size: thoughts, to: turn - 1 } };
}

/** About the size of a note that stands for a result, in bytes. */
const NOTE = 250;
