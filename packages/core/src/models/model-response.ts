import type {
  CitationMetadata,
  Content,
  GenerateContentResponseUsageMetadata,
  GroundingMetadata,
  UrlContextMetadata,
} from '@google/genai';

import type { CacheMetadata } from '../events/cache-metadata.js';
import { hasContent } from '../events/has-content.js';
import { readContent } from '../events/read-content.js';
import { kindOf, isJsonValue, toJsonValue } from '@adorn/schema';

/** A model's answer, or a piece of a streamed answer. */
export interface ModelResponse {
  /** The answer: text, calls and files. Undefined if the model gave none. */
  readonly content?: Content;
  /** True for a piece of a streamed answer: shown, never stored. The complete answer follows without it. */
  readonly partial?: boolean;
  /** Why the model stopped, in Google's words: `STOP`, `MAX_TOKENS`, `SAFETY`, … */
  readonly finishReason?: string;
  /** Why the answer is not usable: the finish or block reason, `EMPTY_RESPONSE`, `MALFORMED_RESPONSE`, … */
  readonly errorCode?: string;
  /** The description of the error code. It must contain no secret. */
  readonly errorMessage?: string;
  /** The tokens of the call, as the provider reports them. */
  readonly usageMetadata?: GenerateContentResponseUsageMetadata;
  /** The sources of an answer that the provider's search supports. */
  readonly groundingMetadata?: GroundingMetadata;
  /** The works that the answer quotes, as the provider reports them. */
  readonly citationMetadata?: CitationMetadata;
  /** The web pages that the provider read for the answer. */
  readonly urlContextMetadata?: UrlContextMetadata;
  /** Names of provider tools that ran and returned untrusted text, such as a web search. */
  readonly untrustedTools?: readonly string[];
  /** The cache at the provider that the request named. */
  readonly cacheMetadata?: CacheMetadata;
  /** The model version, if the provider reports it. */
  readonly modelVersion?: string;
  /** The provider's id of the answer, for observers. It is not stored. */
  readonly responseId?: string;
}

/** The type of every field; `any` is validated elsewhere. */
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
  cacheMetadata: 'json',
  modelVersion: 'text',
  responseId: 'text',
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

/** Reads each field by name instead of in a loop, which would take ten times as long for each piece of a stream. */
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
    isJson(given.cacheMetadata) &&
    isText(given.modelVersion) &&
    isText(given.responseId)
  );
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isJson(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && isJsonValue(value));
}

function notAResponse(value: unknown): ModelResponse {
  const errorMessage = `The Model yielded ${kindOf(value)} instead of a response.`;
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

/** An answer with an unreadable error is still an error. */
function textInstead(field: string, value: unknown): string | undefined {
  if (field === 'errorCode') return 'MALFORMED_RESPONSE';
  return field === 'errorMessage'
    ? `The model reported an error with ${kindOf(value)} as its message.`
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

/** Finish reasons whose answers must not be used, although parts may be present. */
const BLOCKING: ReadonlySet<string> = new Set([
  'BLOCKLIST',
  'IMAGE_OTHER',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_SAFETY',
  'LANGUAGE',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'OTHER',
  'PROHIBITED_CONTENT',
  'RECITATION',
  'SAFETY',
  'SPII',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

/** True if an answer that ended for this reason must not be used. */
export function isBlocking(finishReason: string | undefined): boolean {
  return finishReason !== undefined && BLOCKING.has(finishReason);
}

/** The response with an error code if its finish reason forbids to use it. */
export function withBlockingFault(response: ModelResponse): ModelResponse {
  const { errorCode, finishReason } = response;
  if (errorCode !== undefined || finishReason === undefined || !isBlocking(finishReason)) return response;
  const errorMessage = `The model stopped for ${finishReason}; its answer is not usable.`;
  return { ...response, errorCode: finishReason, errorMessage };
}

/** Finish reasons that say nothing against an answer. */
const UNREMARKABLE: ReadonlySet<string | undefined> = new Set([
  undefined,
  'STOP',
  'FINISH_REASON_UNSPECIFIED',
]);

/**
 * The response with an error code if it cannot be used: the finish reason if that forbids it, such as `SAFETY`, or explains
 * that there is no content, such as `MAX_TOKENS`; else `EMPTY_RESPONSE` for one without content. A response that has an
 * error code is returned unchanged.
 */
export function judgedResponse(given: ModelResponse): ModelResponse {
  const response = withBlockingFault(given);
  if (response.errorCode !== undefined || hasContent(readContent(response.content))) return response;
  return { ...response, ...emptyFault(response) };
}

/** The error of an answer without content. */
export function emptyFault({
  finishReason,
}: ModelResponse): Required<Pick<ModelResponse, 'errorCode' | 'errorMessage'>> {
  if (UNREMARKABLE.has(finishReason)) {
    const errorMessage = 'The model answered without any content: ask again, or say more.';
    return { errorCode: 'EMPTY_RESPONSE', errorMessage };
  }
  const cure = finishReason === 'MAX_TOKENS' ? ' Raise maxOutputTokens, or let the model think less.' : '';
  const errorMessage = `The model stopped for ${String(finishReason)} before it said anything.${cure}`;
  return { errorCode: String(finishReason), errorMessage };
}

/** Finish reasons of answers that the provider refused because the model wrote something invalid. */
const REFUSED: ReadonlySet<string | undefined> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
]);

/**
 * True for a slip of the model: asked again, it may do better. Its answer has no content, or the provider refused what it
 * wrote. False for `MALFORMED_RESPONSE` without that finish reason: then the response itself was not readable.
 */
export function isSlip({ errorCode, finishReason }: ModelResponse): boolean {
  if (errorCode === 'EMPTY_RESPONSE') return true;
  return errorCode !== undefined && REFUSED.has(errorCode) && errorCode === finishReason;
}

/** The response to a body that is not a model's answer. */
export function malformedResponse(): ModelResponse {
  return {
    errorCode: 'MALFORMED_RESPONSE',
    errorMessage: 'The response is not valid JSON of a model answer. Try again.',
  };
}

/** The response to an interrupted stream. It contains none of the pieces, because they are incomplete. */
export function interruptedResponse(): ModelResponse {
  return {
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage:
      'The stream was interrupted before the answer was complete; its pieces were discarded. Try again.',
  };
}

/** The response to a stream without a finish reason. It keeps the received text, which is not a usable answer. */
export function cutResponse({ finishReason: _none, ...response }: ModelResponse): ModelResponse {
  return {
    ...response,
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage:
      'The stream ended without a finish reason, so the answer is incomplete. The received part is kept. Try again.',
  };
}
