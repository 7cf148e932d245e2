import { createHash, timingSafeEqual } from 'node:crypto';

import { ConsoleLogger } from '@adorn/core';
import { admitted, LOOPBACK_HOSTS } from '@adorn/core/backend';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

import { AccessRefusedError, RequestInvalidError } from '../errors.js';
import { requestTarget } from '../http/node-connection.js';
import type { HandlerOptions } from '../server-options.js';
import { type Caller, callerOf, TOKEN_HOLDER } from './caller.js';
import type { ServerEnv } from './server-env.js';
import { leadToSignIn } from './sign-in.js';

/** The options of the guard. */
export interface GuardOptions extends Pick<
  HandlerOptions,
  'authenticate' | 'token' | 'signIn' | 'allowedHosts' | 'allowedOrigins' | 'basePath' | 'logger'
> {
  /** The path of requests of peers, which know other content types and credentials, and are checked for them there. */
  readonly peerPath?: string;
  /** The paths of pages, which hold no data and are shown to whoever follows a link of another site. */
  readonly pages?: readonly string[];
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets a request pass if it is addressed to this server, comes from no foreign page, has a JSON body if any, and says who
 * sent it: in this order, for every method and path.
 */
export function accessGuard(options: GuardOptions): MiddlewareHandler<ServerEnv> {
  const { allowedHosts = LOOPBACK_HOSTS, allowedOrigins = [] } = options;
  const origins = new Set(allowedOrigins);
  // Probes of an orchestrator have no credential, and learn nothing.
  const healthPath = `${(options.basePath ?? '').replace(/\/$/, '')}/health`;
  return async (context, next) => {
    const { req } = context;
    if (req.method === 'GET' && req.path === healthPath) return next();
    for (const host of hostsOf(context)) requireHost(host, allowedHosts);
    const origin = req.header('origin');
    const isListed = origin !== undefined && origins.has(origin);
    if (!isListed) refuseForeignPage(context, origin);
    if (req.method === 'OPTIONS' && isListed)
      return preflight(origin, req.header('access-control-request-headers'));
    if (options.peerPath === undefined || !req.path.startsWith(options.peerPath)) {
      requireJson(context);
      const redirect = takeToken(context, options);
      if (redirect !== undefined) return redirect;
      if (!isLinkToPage(context, options)) {
        const caller = await identify(context, options);
        if (caller === undefined) return turnAway(context, options);
        context.set('caller', caller);
      }
    }
    await next();
    if (isListed) allowOrigin(context.res.headers, origin);
    return undefined;
  };
}

/** The hosts that a request names: by its header and, in a request line with a whole address, by that too. */
function hostsOf(context: Context): string[] {
  const { req } = context;
  const host = req.header('host') ?? new URL(req.url).host;
  const target = requestTarget(context);
  if (target === undefined || target.startsWith('/') || target === '*') return [host];
  return [host, URL.canParse(target) ? new URL(target).host : ''];
}

/** The names of this machine are always allowed: no page of another site can be addressed by them. */
function requireHost(host: string, allowed: readonly string[] | 'any'): void {
  const name = nameOfHost(host);
  if (allowed === 'any' || allowed.includes(name) || LOOPBACK_HOSTS.includes(name)) return;
  throw new AccessRefusedError(403, 'its Host is not allowed', 'Add the name to allowedHosts of the server.');
}

/** The name without the port; IPv6 addresses keep their brackets. */
function nameOfHost(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

/** A page of another origin sends an `Origin`, or `Sec-Fetch-Site` with requests that have none. */
function refuseForeignPage({ req }: Context, origin: string | undefined): void {
  const site = req.header('sec-fetch-site');
  const isNavigation = req.header('sec-fetch-mode') === 'navigate' && req.method === 'GET';
  const isForeign =
    origin === undefined
      ? (site === 'cross-site' || site === 'same-site') && !isNavigation
      : hostOfOrigin(origin) !== (req.header('host') ?? new URL(req.url).host);
  if (!isForeign) return;
  const cure = 'Add the origin of the page to allowedOrigins of the server.';
  throw new AccessRefusedError(403, 'its Origin is not allowed', cure);
}

/**
 * A browser leaves the strict cookie out when it follows a link or a redirect of another site, such as that of an
 * authorization server. The requests of the page itself have it.
 */
function isLinkToPage({ req }: Context, { pages = [] }: GuardOptions): boolean {
  const isLink = req.header('sec-fetch-site') === 'cross-site' && req.header('sec-fetch-mode') === 'navigate';
  return isLink && req.method === 'GET' && pages.includes(req.path);
}

function hostOfOrigin(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

/** A page of an allowed origin may send whatever headers it likes, such as those that `authenticate` reads. */
function preflight(origin: string, asked = ''): Response {
  const headers = new Headers({
    'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE',
    'access-control-allow-headers': asked,
    'access-control-max-age': '600',
    vary: 'access-control-request-headers',
  });
  allowOrigin(headers, origin);
  return new Response(null, { status: 204, headers });
}

function allowOrigin(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-credentials', 'true');
  headers.set('access-control-expose-headers', 'x-adorn-invocation');
  headers.append('vary', 'origin');
}

/** A form of any page can post other types of content without asking the browser. */
function requireJson({ req }: Context): void {
  if (READS.has(req.method)) return;
  const type = req.header('content-type');
  if (type === undefined ? !hasBody(req.raw) : /^application\/json\s*(;|$)/i.test(type)) return;
  const what =
    type === undefined ? 'its body has no Content-Type' : 'its Content-Type is not application/json';
  throw new RequestInvalidError(what, 'Send JSON.', 'Content-Type', 415);
}

function hasBody({ headers, body }: Request): boolean {
  const length = headers.get('content-length');
  return length === null ? body !== null && headers.has('transfer-encoding') : length !== '0';
}

/** Moves a token from the address into a cookie, so that it does not stay in the address bar. */
function takeToken(context: Context, { token, basePath = '/' }: GuardOptions): Response | undefined {
  const { req } = context;
  if (token === undefined || req.method !== 'GET') return undefined;
  const url = new URL(req.url);
  const given = url.searchParams.get('token');
  if (given === null || !isSameSecret(given, token)) return undefined;
  url.searchParams.delete('token');
  const isSecure = url.protocol === 'https:';
  setCookie(context, cookieName(url), token, {
    ...{ path: basePath, httpOnly: true, sameSite: 'Strict', secure: isSecure },
  });
  return context.redirect(url.pathname + url.search);
}

/** Cookies of a host are shared by all its ports. */
function cookieName({ port }: URL): string {
  return `adorn_token_${port === '' ? 'default' : port}`;
}

/** Who has sent a request; undefined if it has no valid credential. */
export async function identify(
  context: Context,
  { authenticate, token, logger = new ConsoleLogger() }: GuardOptions,
): Promise<Caller | undefined> {
  const { req } = context;
  if (authenticate !== undefined) {
    const given: unknown = await authenticate(req.raw, connectionOf(context));
    return admitted('a request', logger, () => callerOf(given));
  }
  return token === undefined || hasToken(context, token) ? TOKEN_HOLDER : undefined;
}

/** Answers a request of nobody. @throws {AccessRefusedError} unless a browser is led to the sign-in page */
function turnAway(context: Context, { authenticate, signIn }: GuardOptions): Response {
  if (authenticate !== undefined) return leadToSignIn(context, signIn);
  throw new AccessRefusedError(401, 'it has no valid credential', 'Send "Authorization: Bearer …".', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** What the framework knows of a request: for Node's servers, the request itself. */
function connectionOf({ env }: Context): unknown {
  const { incoming } = (env ?? {}) as { incoming?: unknown };
  return incoming ?? env;
}

function hasToken(context: Context, token: string): boolean {
  const { req } = context;
  const [, bearer] = /^Bearer (.+)$/i.exec(req.header('authorization') ?? '') ?? [];
  const given = bearer ?? getCookie(context, cookieName(new URL(req.url)));
  return given !== undefined && isSameSecret(given, token);
}

/** Takes the same time for every secret. */
function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
