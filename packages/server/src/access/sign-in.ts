import type { Context } from 'hono';

import { AccessRefusedError } from '../errors.js';
import { requestTarget } from '../http/node-connection.js';

/** Stands for whatever origin an address is resolved at. */
const ORIGIN = 'http://origin.invalid';

/**
 * The path to go to after a sign-in: the parameter `next` of the address of the sign-in page, if it leads to a path of the same origin.
 * What leads to another origin, such as `https://evil.example`, `//evil.example` or `/\evil.example`, is replaced by the fallback.
 *
 * ```ts
 * response.writeHead(303, { location: pathAfterSignIn(request.url) }).end();
 * ```
 *
 * @param address the address of the request that signs in, such as `request.url`: whole, or from its path on
 * @param fallback Default: `/`.
 */
export function pathAfterSignIn(address: string | URL | undefined, fallback = '/'): string {
  const text = String(address ?? '/');
  const next = URL.canParse(text, ORIGIN) ? new URL(text, ORIGIN).searchParams.get('next') : null;
  return (next === null ? undefined : pathOnOrigin(next)) ?? fallback;
}

/**
 * An address as a path with its query, as a browser resolves it; undefined if it leads to another origin. The path `/.//evil.example`
 * is resolved to `//evil.example`, and so leads to another one; `blob:` has an origin and no path.
 */
export function pathOnOrigin(address: string): string | undefined {
  if (!URL.canParse(address, ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(address, ORIGIN);
  return origin === ORIGIN && /^\/(?!\/)/.test(pathname) ? pathname + search + hash : undefined;
}

/** The path and the query of a request as its client wrote them, also where a framework has cut off the path of a mount. */
export function addressOf(context: Context): string {
  const { pathname, search } = new URL(context.req.url);
  const target = requestTarget(context);
  const address = target?.startsWith('/') === true ? target : pathname + search;
  return pathOnOrigin(address) ?? '/';
}

/**
 * Answers a request that says of nobody that they have sent it: a browser that opens a page is led to the sign-in page, which gets
 * the address that it wanted as `next`.
 *
 * @param signIn the path of the sign-in page, if there is one
 * @throws {AccessRefusedError} with status 401, for all other requests
 */
export function leadToSignIn(context: Context, signIn: string | undefined): Response {
  const fault = 'authenticate has named nobody for it';
  if (signIn === undefined)
    throw new AccessRefusedError(401, fault, 'Sign in, or send the credential that the application reads.');
  const wanted = addressOf(context);
  const page = new URL(signIn, ORIGIN);
  const isSignIn = new URL(wanted, ORIGIN).pathname === page.pathname;
  if (isSignIn || !isOpenedByBrowser(context)) {
    const cure = isSignIn
      ? `The application has to answer ${signIn} itself, before Adorn's handler.`
      : `Sign in at ${signIn}.`;
    throw new AccessRefusedError(401, fault, cure, { signIn });
  }
  page.searchParams.set('next', wanted);
  return context.redirect(page.pathname + page.search);
}

/** True for the document of a tab: not for a frame, a script or a picture. Browsers without `Sec-Fetch-Mode` ask for HTML. */
function isOpenedByBrowser({ req }: Context): boolean {
  if (req.method !== 'GET') return false;
  const mode = req.header('sec-fetch-mode');
  if (mode === undefined) return req.header('accept')?.includes('text/html') === true;
  return mode === 'navigate' && (req.header('sec-fetch-dest') ?? 'document') === 'document';
}
