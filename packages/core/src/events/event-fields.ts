import type { UrlContextMetadata } from '@google/genai';

import type { CacheMetadata } from './cache-metadata.js';
import type { EventFields } from './event.js';
import type { LiveNotice } from './live-notice.js';

/**
 * Fields of the wire form that few events have: fields of other ADKs and their clients, and of Gemini. Kept unchanged when
 * an event is read and written.
 */
export interface WireFields {
  /** True if the user interrupted the model while it spoke. */
  readonly interrupted?: boolean | undefined;
  /** The transcription of the user's speech, as Gemini gives it. */
  readonly inputTranscription?: object | undefined;
  /** The transcription of the model's speech, as Gemini gives it. */
  readonly outputTranscription?: object | undefined;
  /** The start or end of the user's speech, as Gemini reports it. */
  readonly voiceActivity?: object | undefined;
  /** The handle by which a live connection of Gemini can be continued. */
  readonly liveSessionResumptionUpdate?: object | undefined;
  /** The output of a node of a workflow, in logs of other ADKs. */
  readonly output?: unknown;
  /** Names the call that ran an agent as a tool: only events of one scope see each other. */
  readonly isolationScope?: string | undefined;
  /** The route that a node of a workflow selected, in logs of other ADKs. */
  readonly route?: unknown;
  /** The web pages that the model's provider read for an answer. */
  readonly urlContextMetadata?: UrlContextMetadata | undefined;
  /** The cache at the model's provider that the request of an answer named. */
  readonly cacheMetadata?: CacheMetadata | undefined;
  /** News of a live session, in a partial event. */
  readonly live?: LiveNotice | undefined;
}

/** The type of a value, as worded in errors. */
export type Kind = 'an object' | 'a list' | 'a number' | 'a text' | 'a boolean';

/** A field of an event. */
interface EventField {
  /** The type of its value; undefined for any JSON. */
  readonly kind: Kind | undefined;
  /** True if no event is without it. */
  readonly isRequired?: true;
  /** True if few events have it: it is kept unchanged, and no event is larger for it. */
  readonly isRare?: true;
}

/** Every field of an event, in the order of the wire form: what is checked when one is read, and what is written. */
const EVENT_FIELDS = {
  invocationId: { kind: 'a text', isRequired: true },
  author: { kind: 'a text', isRequired: true },
  id: { kind: 'a text', isRequired: true },
  branch: { kind: 'a text' },
  nodeInfo: { kind: 'an object' },
  content: { kind: 'an object' },
  actions: { kind: 'an object' },
  longRunningToolIds: { kind: 'a list' },
  timestamp: { kind: 'a number', isRequired: true },
  partial: { kind: 'a boolean' },
  turnComplete: { kind: 'a boolean' },
  finishReason: { kind: 'a text' },
  errorCode: { kind: 'a text' },
  errorMessage: { kind: 'a text' },
  usageMetadata: { kind: 'an object' },
  groundingMetadata: { kind: 'an object' },
  citationMetadata: { kind: 'an object' },
  modelVersion: { kind: 'a text' },
  customMetadata: { kind: 'an object' },
  interrupted: { kind: 'a boolean', isRare: true },
  inputTranscription: { kind: 'an object', isRare: true },
  outputTranscription: { kind: 'an object', isRare: true },
  voiceActivity: { kind: 'an object', isRare: true },
  liveSessionResumptionUpdate: { kind: 'an object', isRare: true },
  output: { kind: undefined, isRare: true },
  isolationScope: { kind: 'a text', isRare: true },
  route: { kind: undefined, isRare: true },
  urlContextMetadata: { kind: 'an object', isRare: true },
  cacheMetadata: { kind: 'an object', isRare: true },
  live: { kind: 'an object', isRare: true },
} as const satisfies {
  readonly [Field in keyof Required<EventFields>]: Field extends keyof WireFields
    ? EventField & { readonly isRare: true }
    : EventField;
};

/** The fields of an event, each with its rule. */
export const FIELD_ENTRIES = Object.entries(EVENT_FIELDS) as readonly (readonly [
  keyof EventFields,
  EventField,
])[];

/** The names of the fields that few events have. */
export const RARE_FIELDS = FIELD_ENTRIES.flatMap(([name, { isRare }]) =>
  isRare === true ? [name as keyof WireFields] : [],
);

/** Copies only the fields that are present: most events have none, and stay small. */
export function copyWireFields(from: WireFields, to: object): void {
  for (const name of RARE_FIELDS) {
    const value = from[name];
    if (value !== undefined && value !== null) (to as Record<string, unknown>)[name] = value;
  }
}
