import type { GeminiAttempt } from './gemini-attempt.js';
import { GeminiSettingsInvalidError } from '../errors.js';
import { HttpFailure, parseHttpFailure } from './http-failure.js';

/** Why an attempt came to nothing. */
export type AttemptFailure =
  | { readonly kind: 'http'; readonly failure: HttpFailure }
  | { readonly kind: 'connection'; readonly what: string; readonly again: boolean; readonly cause: unknown }
  /** The answer arrived, but is not a Gemini answer. */
  | { readonly kind: 'malformed'; readonly what: string }
  /** Nothing was sent, as the destination must not receive credentials. */
  | { readonly kind: 'settings'; readonly error: GeminiSettingsInvalidError }
  /** The request could not be made. */
  | { readonly kind: 'request'; readonly what: string };

/** Connections that were there and broke; those that could not be made stay so for the next second. */
const BROKEN = new Set([
  'EAI_AGAIN',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET',
]);

/** Classifies an error of @google/genai by the stage of the attempt. */
export function failureOf(error: unknown, attempt: GeminiAttempt): AttemptFailure {
  if (attempt.timedOut)
    return { kind: 'connection', what: 'it stayed silent for too long', again: true, cause: error };
  for (const link of causesOf(error)) {
    if (link instanceof GeminiSettingsInvalidError) return { kind: 'settings', error: link };
    if (link instanceof HttpFailure) return { kind: 'http', failure: link };
    if (link.name === 'ApiError') return { kind: 'http', failure: failureInStream(link) };
    const code = codeOf(link);
    if (code !== undefined) return brokenBy(code, error);
  }
  const what = messageOf(error);
  if (attempt.stage === 'preparing') return { kind: 'request', what };
  if (attempt.stage === 'sent') return { kind: 'connection', what, again: false, cause: error };
  return what === 'terminated' ? brokenBy('UND_ERR_SOCKET', error) : { kind: 'malformed', what };
}

/** What an error says, or its cause where it says no more than that a fetch failed, as of a port that fetch refuses. */
function messageOf(error: unknown): string {
  const { message, cause } = isErrorLike(error) ? error : new Error(String(error));
  return message === 'fetch failed' && isErrorLike(cause) ? cause.message : message;
}

/** The error and its causes, outermost first; errors of other realms included. */
function* causesOf(error: unknown): Generator<Error> {
  for (let link = error; isErrorLike(link); link = link.cause) yield link;
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value;
}

function codeOf(error: Error & { code?: unknown }): string | undefined {
  return typeof error.code === 'string' ? error.code : undefined;
}

function brokenBy(code: string, cause: unknown): AttemptFailure {
  const again = BROKEN.has(code);
  return { kind: 'connection', what: again ? `the connection was lost (${code})` : code, again, cause };
}

/** An event of a stream may be an error object; @google/genai puts its JSON behind a few words. */
function failureInStream(error: Error & { status?: unknown }): HttpFailure {
  const status = typeof error.status === 'number' ? error.status : 500;
  const json = error.message.indexOf('{');
  return parseHttpFailure(status, json === -1 ? error.message : error.message.slice(json));
}
