import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Context } from 'hono';

/** What a server of Node.js tells of the connection of a request. Both are undefined in other frameworks. */
interface NodeConnection {
  readonly incoming?: IncomingMessage & { readonly originalUrl?: string };
  readonly outgoing?: ServerResponse;
}

/** The request of a server of Node.js; undefined in other frameworks. */
export function nodeRequest({ env }: Context): NodeConnection['incoming'] {
  return ((env ?? {}) as NodeConnection).incoming;
}

/** A function that ends the connection of a request; undefined where the framework does not show it. */
export function connectionEnder({ env }: Context): (() => void) | undefined {
  const { outgoing } = (env ?? {}) as NodeConnection;
  return outgoing && (() => void outgoing.destroy());
}

/** The target of the request line, such as `/list-apps`; undefined in other frameworks. */
export function requestTarget(context: Context): string | undefined {
  const incoming = nodeRequest(context);
  return incoming?.originalUrl ?? incoming?.url;
}
