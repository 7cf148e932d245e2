import type * as OAuth from 'oauth4webapi';

import { OAuthRequestError } from './errors.js';

/** The library, loaded with the first request. */
export type OAuthLibrary = typeof OAuth;

/**
 * Sends a request with the library. Its errors may contain whole responses, so only their kind is reported.
 *
 * @param what names the request in the error
 * @throws {OAuthRequestError}
 */
export async function request<Result>(
  what: string,
  server: URL,
  send: (oauth: OAuthLibrary) => Promise<Result>,
): Promise<Result> {
  const oauth = await import('oauth4webapi');
  try {
    return await send(oauth);
  } catch (error) {
    if (error instanceof OAuthRequestError) throw error;
    const oauthError = oauthErrorOf(oauth, error);
    throw new OAuthRequestError(what, server.host, reasonOf(error, oauthError), oauthError);
  }
}

/** The code that the server gave; another text in its place may be anything. */
function oauthErrorOf(oauth: OAuthLibrary, error: unknown): string | undefined {
  const isAnswer =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
  if (!isAnswer) return undefined;
  return /^[a-z_]{1,64}$/.test(error.error) ? error.error : 'an unknown error code';
}

function reasonOf(error: unknown, oauthError: string | undefined): string {
  if (oauthError !== undefined) return `the server answered ${oauthError}`;
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'the server did not answer in time';
  if (typeof code === 'string' && code.startsWith('OAUTH_')) return `the answer is not valid (${code})`;
  return 'the server could not be reached';
}

/** Options of every request: a time limit, and plain http where the server is on this machine. */
export function optionsOf(
  oauth: OAuthLibrary,
  server: URL,
  signal: AbortSignal,
  timeout: number,
): { readonly signal: () => AbortSignal; readonly [key: symbol]: boolean } {
  return {
    signal: () => AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out; only on this machine
    [oauth.allowInsecureRequests]: server.protocol === 'http:',
  };
}
