import { functionResponsesOf } from './content-parts.js';
import type { Content } from './genai-types.js';
import { type EventActions, mergedWrites } from './event-actions.js';
import type { Event } from './event.js';

/** The key of an event's metadata for what models read in the place of its responses, by the ids of their calls. */
export const RESPONSES_FOR_MODEL = 'adorn:toldResponses';

/** Responses by the ids of their calls. */
export type ResponsesForModel = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The content of an event as every model reads it: a callback may have changed what models read of a response. */
export function contentForModel({ content, customMetadata }: Event): Content | undefined {
  const told = customMetadata?.[RESPONSES_FOR_MODEL];
  if (!isResponsesForModel(told) || functionResponsesOf(content).length === 0) return content;
  const parts = content?.parts?.map((part) => {
    const { functionResponse } = part;
    const response = Object.hasOwn(told, functionResponse?.id ?? '')
      ? told[functionResponse?.id ?? '']
      : undefined;
    return functionResponse && response
      ? { ...part, functionResponse: { ...functionResponse, response } }
      : part;
  });
  return { ...content, parts };
}

function isResponsesForModel(value: unknown): value is ResponsesForModel {
  return typeof value === 'object' && value !== null;
}

/** What callbacks made of responses. */
export interface ChangedResponses {
  /** What models read; the responses that are not in it stay as they are. */
  readonly told: ResponsesForModel | undefined;
  /** What the callbacks wrote. */
  readonly actions: Partial<EventActions> | undefined;
}

/** An event whose responses were changed, with what the callbacks wrote. */
export function withChanges(event: Event, { told, actions }: ChangedResponses): Event {
  if (!told && !actions) return event;
  const before = event.customMetadata?.[RESPONSES_FOR_MODEL];
  const all = isResponsesForModel(before) ? { ...before, ...told } : told;
  const customMetadata = told
    ? { ...event.customMetadata, [RESPONSES_FOR_MODEL]: all }
    : event.customMetadata;
  return event.with({ customMetadata, actions: mergedWrites(event.actions, actions) });
}
