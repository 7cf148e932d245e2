import { describeThrown } from '@adorn/core/backend';
import { isRefusedBeforehand } from '@adorn/http';

import { cleanText } from './clean-text.js';
import { isRefusal } from './credential-refusal.js';

/** How a server failed, and what to do about it. */
export interface ServerFailure {
  /**
   * `refused`: the server did not do what it was asked for, `unauthorised`: because of the credential; `failed`: it answered
   * with an error, and `unanswered`: not at all, and nobody knows whether it did.
   */
  readonly kind: 'refused' | 'unauthorised' | 'failed' | 'unanswered';
  /** Without a period. */
  readonly reason: string;
  /** A sentence. */
  readonly cure: string;
}

/** The reason of an answer that cannot be read. */
export const NO_MESSAGE = 'its answer is no message of the protocol';

/** The code of a call that the server does not begin before the user has opened addresses. */
export const ADDRESSES_REQUIRED = -32_042;

/** The code of an error that this client makes for a request that its server will never answer. */
export const UNANSWERED = -32_099;

/** A server answered a request with a redirect, which is not followed. */
export class RedirectedError extends Error {
  /** @param location the target; undefined if the server named none */
  constructor(readonly location: URL | undefined) {
    super(`it redirects to ${location === undefined ? 'nowhere' : location.origin + location.pathname}`);
  }
}

/** A server answered with a status that is none of success, in the form in which the protocol library tells it. */
export class HttpStatusError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly data: { readonly text: string };

  constructor({ status, statusText }: Response, text: string) {
    super(`HTTP ${String(status)}`);
    this.status = status;
    this.statusText = statusText;
    this.data = { text };
  }
}

/** The longest text of a server in a failure, in characters. */
const LONGEST_TEXT = 300;

/** Describes an error of a transport, of the protocol library, or of the server itself. */
export function failureOf(error: unknown): ServerFailure {
  const { code, status } = (error ?? {}) as { readonly code?: unknown; readonly status?: unknown };
  const message = cleanText(innermost(error), LONGEST_TEXT).replace(/\.$/, '');
  if (error instanceof RedirectedError)
    return { kind: 'refused', reason: message, cure: 'Write that URL, if it is the one of the server.' };
  if (isRefusal(error)) return unauthorised(status, message);
  if (code === UNANSWERED) return { kind: 'unanswered', reason: message, cure: READ_LOG };
  if (typeof code === 'number')
    return {
      kind: code === ADDRESSES_REQUIRED || isRefusedBeforehand({ code }) ? 'refused' : 'failed',
      reason: `it answered with the error ${String(code)}, ${message}`,
      cure: READ_LOG,
    };
  if (typeof status === 'number') return httpFailure(status, error as HttpError);
  if (describeThrown(error).name === 'ZodError')
    return { kind: 'unanswered', reason: NO_MESSAGE, cure: READ_LOG };
  return { kind: 'unanswered', reason: message, cure: CURES.get(code) ?? CHECK };
}

const READ_LOG = 'Read the log of the server.';
const CHECK = 'Check that it runs and that its command or URL is right.';
const CURES: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'Install the program, or correct command; its arguments belong into args.'],
  ['EACCES', 'Make the program executable.'],
  ['CLIENT_HTTP_UNEXPECTED_CONTENT', 'Correct the URL: it may be the one of a web page.'],
]);

function unauthorised(status: unknown, message: string): ServerFailure {
  const reason =
    status === 401
      ? 'it asks for a credential (HTTP 401)'
      : `it refused the credential, or the lack of one (${status === 403 ? 'HTTP 403' : message})`;
  const cure =
    'Pass auth: a bearer token by a scheme and a key, or what mcpOAuth() returns; or correct the credential in headers.';
  return { kind: 'unauthorised', reason, cure };
}

interface HttpError {
  readonly statusText?: string;
  readonly data?: { readonly text?: unknown };
}

function httpFailure(status: number, { statusText = '', data }: HttpError): ServerFailure {
  const said = typeof data?.text === 'string' ? cleanText(data.text.trim(), LONGEST_TEXT) : '';
  const http = `HTTP ${String(status)} ${statusText}`.trimEnd();
  return {
    kind: isRefusedBeforehand({ status }) ? 'refused' : 'failed',
    reason: `it answered with ${http}${said === '' ? '' : `: ${said}`}`,
    cure: status >= 500 ? READ_LOG : 'Correct the path of the URL, or the request.',
  };
}

/** The message of the cause that lies deepest: a failed fetch says nothing itself. */
function innermost(error: unknown): string {
  let deepest = error;
  for (let depth = 0; depth < 8; depth++) {
    const { cause, errors } = (deepest ?? {}) as { readonly cause?: unknown; readonly errors?: unknown };
    const next = cause ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined);
    if (next === undefined) break;
    deepest = next;
  }
  // An error for several addresses has no message, only a code.
  const { code } = (deepest ?? {}) as { readonly code?: unknown };
  const { message } = describeThrown(deepest);
  return message === '' && typeof code === 'string' ? code : message;
}
