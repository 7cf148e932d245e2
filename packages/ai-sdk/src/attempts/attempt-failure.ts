import { AdornError } from '@adorn/core';
import type { ModelAttempt } from '@adorn/core/backend';

import { isJsonObject } from '../is-json-object.js';
import { type RefusedAnswer, refusedAnswerIn } from './refused-answer.js';

/** Why an attempt came to nothing. */
export type AttemptFailure =
  /** The provider answered with an error, also in the middle of a stream. */
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly message: string;
      /** The provider's name of the error, such as `model_not_found`. */
      readonly reason: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'connection'; readonly what: string; readonly host: string; readonly again: boolean }
  /** The model wrote something that its provider refused. */
  | ({ readonly kind: 'refused' } & RefusedAnswer)
  /** An answer arrived that is not one of a model. */
  | { readonly kind: 'malformed'; readonly what: string }
  /** The stream ended without a finish reason. */
  | { readonly kind: 'cut' }
  /** There is no API key, or another setting is missing. */
  | { readonly kind: 'settings'; readonly what: string }
  /** An error of Adorn, which says what to do. */
  | { readonly kind: 'own'; readonly error: AdornError }
  /** The provider cannot send this request. */
  | { readonly kind: 'request'; readonly what: string };

/** An error as this file reads it: any object may be thrown. */
interface ThrownObject {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly statusCode?: unknown;
  readonly responseBody?: unknown;
  readonly responseHeaders?: unknown;
  readonly url?: unknown;
  readonly data?: unknown;
  readonly value?: unknown;
  readonly status?: unknown;
  readonly metadata?: unknown;
  readonly cause?: unknown;
}

/** Names of the errors of the AI SDK. `instanceof` would not recognise those of another copy. */
const MALFORMED: ReadonlySet<unknown> = new Set([
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
  'AI_NoContentGeneratedError',
  'AI_TypeValidationError',
]);

const SETTINGS: ReadonlySet<unknown> = new Set(['AI_LoadAPIKeyError', 'AI_LoadSettingError']);

/** Statuses of errors that a provider sends within a stream or an answer, by their type or code. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  authentication_error: 401,
  invalid_request_error: 400,
  not_found_error: 404,
  overloaded_error: 529,
  insufficient_quota: 429,
  permission_error: 403,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  request_too_large: 413,
};

/** Connections that were there and broke; those that could not be made stay so for the next second. */
const BROKEN: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Classifies anything that a provider threw, or put into a stream as an error. */
export function failureOf(thrown: unknown, attempt: ModelAttempt): AttemptFailure {
  const host = hostIn(thrown);
  if (attempt.timedOut)
    return { kind: 'connection', what: 'it stayed silent for too long', host, again: true };
  if (AdornError.is(thrown)) return { kind: 'own', error: thrown };
  const refused = refusedIn(thrown);
  if (refused) return { kind: 'refused', ...refused };
  for (const link of linksOf(thrown)) {
    if (SETTINGS.has(link.name)) return { kind: 'settings', what: messageOf(link) };
    const code =
      typeof link.code === 'string' && /^(E(?!RR_)[A-Z_]+|UND_ERR_\w+)$/.test(link.code)
        ? link.code
        : undefined;
    if (code !== undefined) return brokenBy(code, host);
    if (link.message === 'terminated') return brokenBy('UND_ERR_SOCKET', host);
    if (isUnreadFirstEvent(link)) return { kind: 'malformed', what: UNREADABLE };
    if (isErrorStatus(link.statusCode)) return httpFailure(link, link.statusCode);
    const told = errorInAnswer(link);
    if (told) return httpFailure(told, statusOf(told));
    if (MALFORMED.has(link.name)) return malformedBy(link);
  }
  const [first] = linksOf(thrown);
  // Some packages put the bare message of an error into a stream.
  if (!first) return httpFailure({ message: thrown }, 500);
  // Without a status, a failed call of an API has not reached it.
  if (first.name === 'AI_APICallError' && first.statusCode === undefined)
    return { kind: 'connection', what: messageOf(first), host, again: false };
  const isError = typeof first.name === 'string';
  return isError ? { kind: 'request', what: messageOf(first) } : httpFailure(first, statusOf(first));
}

function refusedIn(thrown: unknown): RefusedAnswer | undefined {
  if (typeof thrown === 'string') return refusedAnswerIn({ message: thrown });
  for (const link of linksOf(thrown)) {
    const refused = refusedAnswerIn(link as Readonly<Record<string, unknown>>);
    if (refused) return refused;
  }
  return undefined;
}

/** The thrown object and its causes, outermost first. */
function* linksOf(thrown: unknown): Generator<ThrownObject> {
  let link = thrown;
  for (let depth = 0; depth < 10 && typeof link === 'object' && link !== null; depth += 1) {
    yield link;
    link = (link as ThrownObject).cause;
  }
}

function brokenBy(code: string, host: string): AttemptFailure {
  const again = BROKEN.has(code);
  return { kind: 'connection', what: again ? `the connection was lost (${code})` : code, host, again };
}

const UNREADABLE = 'an answer that cannot be read';

/** `@ai-sdk/anthropic` reports a first event of a stream that is no JSON as an HTTP failure of the server. */
function isUnreadFirstEvent({ responseBody }: ThrownObject): boolean {
  return (
    typeof responseBody === 'string' && /"name":"AI_(?:JSONParse|TypeValidation)Error"/.test(responseBody)
  );
}

function malformedBy({ name, message }: ThrownObject): AttemptFailure {
  const isEnd = name === 'AI_InvalidResponseDataError' && /without a finish reason/.test(String(message));
  return isEnd ? { kind: 'cut' } : { kind: 'malformed', what: UNREADABLE };
}

/** A successful status, with an error, is an answer that could not be read: its cause says why. */
function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && (status < 200 || status > 299);
}

/**
 * The error in an answer with a successful status, as gateways send it: the package reports that the answer is none of
 * a model, and keeps the body. Undefined if there is no error in it.
 */
function errorInAnswer({ data, value, responseBody }: ThrownObject): ThrownObject | undefined {
  for (const body of [data, value, parsed(responseBody)]) {
    if (!isJsonObject(body)) continue;
    const { error } = body;
    if (isJsonObject(error)) return error;
    // xAI: `{ code, error }` with a text.
    if (typeof error === 'string') return { message: error, code: body['code'] };
    // Mistral: the error is the body. OpenRouter's package: it is the data.
    if (body['object'] === 'error' || (body === data && isErrorWithCode(body))) return body;
  }
  return undefined;
}

function isErrorWithCode({ message, code }: Readonly<Record<string, unknown>>): boolean {
  return typeof message === 'string' && (typeof code === 'number' || typeof code === 'string');
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** The status that an error without one is like; 500 if it does not say. */
function statusOf({ type, code, status }: ThrownObject): number {
  for (const stated of [code, status]) {
    const number = Number(stated);
    if (number >= 400 && number < 600) return number;
  }
  const named = [type, code].map((name) => (typeof name === 'string' ? STATUS_OF_TYPE[name] : undefined));
  return named.find((one) => one !== undefined) ?? 500;
}

function httpFailure(link: ThrownObject, status: number): AttemptFailure {
  const headers = isJsonObject(link.responseHeaders) ? (link.responseHeaders as Record<string, string>) : {};
  return { kind: 'http', status, message: messageOf(link), reason: reasonOf(link), headers };
}

/** Providers name their errors in `code` or `type`, at the top or in an `error` of the body. */
function reasonOf({ code, type, data }: ThrownObject): string | undefined {
  const body = isJsonObject(data) ? data : {};
  const error = isJsonObject(body['error']) ? body['error'] : {};
  const named: readonly unknown[] = [error['code'], error['type'], code, type];
  return named.find((one) => typeof one === 'string');
}

function messageOf({ message, responseBody, metadata }: ThrownObject): string {
  // OpenRouter: what the provider behind it said.
  const raw = isJsonObject(metadata) && typeof metadata['raw'] === 'string' ? `: ${metadata['raw']}` : '';
  if (typeof message === 'string' && message !== '') return `${message}${raw}`;
  return typeof responseBody === 'string' && responseBody !== '' ? responseBody : 'It gave no reason.';
}

/** The host of the request, without path and query, which may hold a secret. */
function hostIn(thrown: unknown): string {
  for (const { url } of linksOf(thrown))
    if (typeof url === 'string' && URL.canParse(url)) return new URL(url).host;
  return '';
}
