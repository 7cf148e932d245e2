import type { GenerateContentConfig } from '@adorn/core';
import { type JsonObject, toGeminiSchema, toStrictSchema, withoutStrictNulls } from '@adorn/core/dialects';

import { isJsonObject } from '../is-json-object.js';
import type { ProviderProfile } from '../profile.js';
import type { ResponseFormat } from './call-options.js';

/** How the form of an answer is asked for, and how the answer is read. */
export interface AnswerForm {
  readonly responseFormat?: ResponseFormat;
  /** Appended to the system instruction; an empty text for nothing. */
  readonly instruction: string;
  /** True if the schema is sent in OpenAI's strict form. */
  readonly isStrict: boolean;
  /** Turns the text of a whole answer into JSON of the schema that the agent has. */
  readonly read: (text: string) => string;
}

const FREE: AnswerForm = { instruction: '', isStrict: false, read: (text) => text };

/** The form that a config asks for, in the dialect of the provider. */
export function answerFormOf(config: Readonly<GenerateContentConfig>, profile: ProviderProfile): AnswerForm {
  const { responseMimeType, responseJsonSchema, responseSchema } = config;
  const schema: unknown = responseJsonSchema ?? responseSchema;
  if (isJsonObject(schema)) return formOfSchema(schema, profile);
  if (responseMimeType !== 'application/json') return FREE;
  if (profile.hasJsonMode) return { ...FREE, responseFormat: { type: 'json' }, instruction: ANY_JSON };
  return { ...FREE, instruction: ANY_JSON };
}

/** Providers refuse JSON mode for a conversation that does not contain the word JSON. */
const ANY_JSON = 'Answer with JSON only, without any other text.';

function formOfSchema(schema: JsonObject, profile: ProviderProfile): AnswerForm {
  switch (profile.outputDialect) {
    case 'openai':
      return strictForm(schema);
    case 'gemini':
      return { ...FREE, responseFormat: jsonFormat(toGeminiSchema(schema)) };
    case 'json-schema':
      return { ...FREE, responseFormat: jsonFormat(schema) };
    case 'json-mode':
      return statedForm(schema);
  }
}

function jsonFormat(schema: JsonObject): ResponseFormat {
  return { type: 'json', schema, name: 'answer' };
}

/** A schema that is not of an object is asked for under `result`, as strict mode takes objects only. */
function strictForm(schema: JsonObject): AnswerForm {
  const own = toStrictSchema(schema);
  if (own) {
    const read = (text: string): string => reread(text, (answer) => withoutStrictNulls(schema, answer));
    return { instruction: '', isStrict: true, responseFormat: jsonFormat(own), read };
  }
  const wrapped = wrappedSchema(schema);
  const strict = toStrictSchema(wrapped);
  if (!strict || schema['type'] === 'object') return statedForm(schema);
  const read = (text: string): string =>
    reread(text, (answer) => {
      const clean = withoutStrictNulls(wrapped, answer);
      return isJsonObject(clean) && 'result' in clean ? clean['result'] : clean;
    });
  return { instruction: '', isStrict: true, responseFormat: jsonFormat(strict), read };
}

function wrappedSchema({ $defs, ...result }: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { result },
    required: ['result'],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/** JSON mode, with the schema in the instruction. */
function statedForm(schema: JsonObject): AnswerForm {
  const instruction = `${ANY_JSON} It must match this JSON Schema:\n${JSON.stringify(schema)}`;
  return { ...FREE, responseFormat: { type: 'json' }, instruction };
}

/** Changes JSON; a text that is no JSON stays as it is. */
function reread(text: string, change: (answer: unknown) => unknown): string {
  try {
    const answer: unknown = JSON.parse(text);
    const changed = change(answer);
    return changed === answer ? text : JSON.stringify(changed);
  } catch {
    return text;
  }
}
