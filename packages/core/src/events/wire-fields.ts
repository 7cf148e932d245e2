import type { UrlContextMetadata } from '@google/genai';

/**
 * Fields of the wire form that few events have: those of the ADK that other ADKs and their clients use, and of Gemini. Kept unchanged when an event is read and written.
 */
export interface WireFields {
  readonly interrupted?: boolean | undefined;
  readonly inputTranscription?: object | undefined;
  readonly outputTranscription?: object | undefined;
  readonly voiceActivity?: object | undefined;
  readonly liveSessionResumptionUpdate?: object | undefined;
  readonly output?: unknown;
  /** Names the call that ran an agent as a tool: only events of one scope see each other. */
  readonly isolationScope?: string | undefined;
  readonly route?: unknown;
  /** The web pages that the model's provider read for an answer. */
  readonly urlContextMetadata?: UrlContextMetadata | undefined;
}

/** The type of each field, as worded in errors; undefined for any JSON value. */
export const WIRE_FIELD_KINDS = {
  interrupted: 'a boolean',
  inputTranscription: 'an object',
  outputTranscription: 'an object',
  voiceActivity: 'an object',
  liveSessionResumptionUpdate: 'an object',
  output: undefined,
  isolationScope: 'a text',
  route: undefined,
  urlContextMetadata: 'an object',
} as const satisfies { readonly [Field in keyof Required<WireFields>]: string | undefined };

const NAMES = Object.keys(WIRE_FIELD_KINDS) as readonly (keyof WireFields)[];

/** Copies only the fields that are present: most events have none, and stay small. */
export function copyWireFields(from: WireFields, to: object): void {
  if (!hasWireFields(from)) return;
  for (const name of NAMES) {
    const value = from[name];
    if (value !== undefined && value !== null) (to as Record<string, unknown>)[name] = value;
  }
}

/** Reads each field by a literal name, which is faster than by a name in a variable. */
function hasWireFields(from: WireFields): boolean {
  return (
    from.interrupted !== undefined ||
    from.inputTranscription !== undefined ||
    from.outputTranscription !== undefined ||
    from.voiceActivity !== undefined ||
    from.liveSessionResumptionUpdate !== undefined ||
    from.output !== undefined ||
    from.isolationScope !== undefined ||
    from.route !== undefined ||
    from.urlContextMetadata !== undefined
  );
}
