import { AdornClientError, createAdornClient } from '@adorn/server/client';

/** The address under which the routes of the server are: that of the page. */
const BASE = new URL('.', globalThis.location.href).href.replace(/\/$/, '');

/** A client of an application of the server. The page's cookie authenticates it. */
export function clientOf(app?: string) {
  return createAdornClient(BASE, app === undefined ? {} : { app });
}

/** The address of a route of an application. */
export function routeOf(app: string, path: string): string {
  return `${BASE}/adorn/apps/${encodeURIComponent(app)}${path}`;
}

/** The address of a route for the developers of an application. */
export function developerRoute(app: string, path: string): string {
  return `${BASE}/dev/apps/${encodeURIComponent(app)}${path}`;
}

/** The address of live conversations in a session. */
export function liveAddress(app: string, session: string): string {
  const query = new URLSearchParams({ app_name: app, session_id: session });
  return `${BASE.replace(/^http/, 'ws')}/run_live?${query.toString()}`;
}

/** Requests JSON of a route that servers may not have. Undefined if the server does not have it. */
export async function optionalJson<Value>(url: string, init?: RequestInit): Promise<Value | undefined> {
  const response = await fetch(url, { credentials: 'include', ...init });
  if (response.status === 404 || response.status === 405) return undefined;
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body as Value;
  const { error, code, signIn } = (body ?? {}) as { error?: string; code?: string; signIn?: string };
  const { status } = response;
  throw new AdornClientError(
    error ?? `The server answered with status ${String(status)}.`,
    status,
    code ?? 'HTTP',
    undefined,
    { signIn },
  );
}

/** The request for a route that takes JSON. */
export function jsonBody(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** A failure in words: what happened, its code, and what to do if it is known. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly cure?: string;
  /** The address where a person signs in, who is then back at this page. */
  readonly signIn?: string;
}

/** Describes anything that was thrown. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof AdornClientError)) return { code: 'PAGE', message: String(error) };
  const { code, message, status, signIn } = error;
  if (status === 401 && signIn !== undefined)
    return { code, message: 'You are not signed in, or not any more.', signIn: signInAddress(signIn) };
  if (status === 401)
    return {
      code,
      message: 'The server does not know this browser.',
      cure: 'Sign in to the application, or open the address that the server printed when it started: it ends with its token.',
    };
  if (status === 0) return { code, message, cure: 'Start the server again, then reload this page.' };
  return { code, message };
}

function signInAddress(path: string): string {
  const address = new URL(path, location.href);
  address.searchParams.set('next', location.pathname + location.search);
  return address.href;
}
