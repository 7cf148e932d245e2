import type {
  CitationMetadata,
  Content,
  GenerateContentResponseUsageMetadata,
  GroundingMetadata,
  UrlContextMetadata,
} from '@google/genai';

import { kindOf } from '../errors/describe-thrown.js';
import { isJsonValue, toJsonValue } from '../json/json-value.js';

/** A model's answer, or a piece of a streamed answer. */
export interface ModelResponse {
  readonly content?: Content;
  /** A piece of a streamed answer: shown, never stored. The whole follows without the mark. */
  readonly partial?: boolean;
  /** Why the model stopped, in Google's words: `STOP`, `MAX_TOKENS`, `SAFETY`, … */
  readonly finishReason?: string;
  /** Why the answer is not usable: the finish or block reason, `EMPTY_RESPONSE`, `MALFORMED_RESPONSE`, … */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly usageMetadata?: GenerateContentResponseUsageMetadata;
  readonly groundingMetadata?: GroundingMetadata;
  readonly citationMetadata?: CitationMetadata;
  /** The web pages that the provider read for the answer. */
  readonly urlContextMetadata?: UrlContextMetadata;
  /** Names of tools that the provider ran, and whose results others wrote, such as a web search of the provider's own. */
  readonly untrustedTools?: readonly string[];
  /** The model version, if the provider reports it. */
  readonly modelVersion?: string;
}

/** Every field of a response; `any` is read elsewhere. */
const FIELDS: { readonly [Field in keyof Required<ModelResponse>]: 'text' | 'flag' | 'json' | 'any' } = {
  content: 'any',
  partial: 'flag',
  finishReason: 'text',
  errorCode: 'text',
  errorMessage: 'text',
  usageMetadata: 'json',
  groundingMetadata: 'json',
  citationMetadata: 'json',
  urlContextMetadata: 'json',
  untrustedTools: 'json',
  modelVersion: 'text',
};

/**
 * Validates what a `Model` yielded. Returns the same object if it is valid, else a copy without fields that are null or
 * of the wrong type. An error code or message of the wrong type still counts as an error. Reads the content with
 * `readContent`.
 */
export function readModelResponse(value: unknown): ModelResponse {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAResponse(value);
  return isClean(value) ? value : cleaned(value as Readonly<Record<string, unknown>>);
}

/** Each field is read by its own name, once for each piece of a stream: a loop over names costs ten times as much. */
function isClean(given: { readonly [Field in keyof ModelResponse]: unknown }): given is ModelResponse {
  return (
    given.content !== null &&
    (given.partial === undefined || typeof given.partial === 'boolean') &&
    isText(given.finishReason) &&
    isText(given.errorCode) &&
    isText(given.errorMessage) &&
    isJson(given.usageMetadata) &&
    isJson(given.groundingMetadata) &&
    isJson(given.citationMetadata) &&
    isJson(given.urlContextMetadata) &&
    isJson(given.untrustedTools) &&
    isText(given.modelVersion)
  );
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isJson(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && isJsonValue(value));
}

function notAResponse(value: unknown): ModelResponse {
  const errorMessage = `The model's class yielded ${kindOf(value)} in place of a response.`;
  return { errorCode: 'MALFORMED_RESPONSE', errorMessage };
}

function cleaned(given: Readonly<Record<string, unknown>>): ModelResponse {
  const fields = Object.keys(FIELDS).map((field) => [field, readField(field, given[field])] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function readField(field: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  switch (FIELDS[field as keyof ModelResponse]) {
    case 'text':
      return typeof value === 'string' ? value : textInstead(field, value);
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'json':
      return typeof value === 'object' ? asJson(value) : undefined;
    default:
      return value;
  }
}

/** An answer that came with an error must not become usable because nobody can read the error. */
function textInstead(field: string, value: unknown): string | undefined {
  if (field === 'errorCode') return 'MALFORMED_RESPONSE';
  return field === 'errorMessage'
    ? `The model gave ${kindOf(value)} as the message of its error.`
    : undefined;
}

function asJson(value: object): unknown {
  if (isJsonValue(value)) return value;
  try {
    return toJsonValue(value);
  } catch {
    return undefined;
  }
}

/** The body is not an answer of a model. */
export function malformedResponse(): ModelResponse {
  return {
    errorCode: 'MALFORMED_RESPONSE',
    errorMessage: 'The model answered with something that is not the JSON of an answer: ask again.',
  };
}

/** The stream was interrupted. The response contains none of the pieces, because they are incomplete. */
export function interruptedResponse(): ModelResponse {
  return {
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage: 'The stream broke off before the answer was whole; the pieces are not kept: ask again.',
  };
}

/** The stream ended without a reason. The text that came is kept, and is not a usable answer. */
export function cutResponse({ finishReason: _none, ...response }: ModelResponse): ModelResponse {
  return {
    ...response,
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage:
      'The stream ended without a finish reason: the answer is cut. What came is kept: ask again.',
  };
}
