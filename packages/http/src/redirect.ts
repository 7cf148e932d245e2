import { AddressBlockedError, HttpRequestError } from './errors.js';

/** A request that is about to be sent. */
export interface Hop {
  readonly url: URL;
  readonly init: RequestInit & { readonly headers: Headers };
}

/** Headers with which a client proves who it is. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie', 'cookie2'];

/** Headers that describe a body, and go with it. */
const OF_BODY = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
];

/** Headers that say which content is sent or wanted, and nothing of the client. */
const OF_CONTENT = [...OF_BODY, 'accept', 'accept-language'];

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The place a response redirects to, as it is written; undefined for another response. */
export function locationOf({ status, headers }: Response): string | undefined {
  return STATUSES.has(status) ? (headers.get('location') ?? undefined) : undefined;
}

/**
 * The request that a redirect asks for: its method and body as in fetch, without credentials where the origin changes.
 *
 * @throws {AddressBlockedError} for a scheme that is not http or https
 * @throws {HttpRequestError} if the body cannot be sent twice
 */
export function nextHop(
  { url, init }: Hop,
  status: number,
  location: string,
  credentialHeaders: readonly string[] | 'all',
): Hop {
  const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (target === undefined)
    throw new HttpRequestError('redirects', url.host, 'it redirects to something that is not a URL');
  const headers = new Headers(init.headers);
  if (target.origin !== url.origin) {
    const all = [...headers.keys()].filter((name) => !OF_CONTENT.includes(name));
    const secret = credentialHeaders === 'all' ? all : [...CREDENTIALS, ...credentialHeaders];
    for (const name of secret) headers.delete(name);
  }
  const method = (init.method ?? 'GET').toUpperCase();
  if (becomesGet(status, method)) {
    for (const name of OF_BODY) headers.delete(name);
    const { body: _body, ...rest } = init;
    return { url: target, init: { ...rest, method: 'GET', headers } };
  }
  if (init.body instanceof ReadableStream)
    throw new HttpRequestError('redirects', url.host, 'it redirects, and the body is a stream that was read');
  return { url: target, init: { ...init, headers } };
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

/**
 * Refuses a URL that may not be requested, before anything is resolved.
 *
 * @throws {AddressBlockedError}
 */
export function checkUrl({ protocol, username, password }: URL): void {
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new AddressBlockedError(
      `the scheme is ${protocol.slice(0, 20)}`,
      'Only http and https are requested.',
    );
  if (username !== '' || password !== '')
    throw new AddressBlockedError('the URL holds a user or a password', 'Send credentials in a header.');
}
