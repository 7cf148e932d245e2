import type { IncomingMessage, ServerResponse } from 'node:http';

import { getRequestListener } from '@hono/node-server';

import type { AdornHandler } from '../adorn-handler.js';

/** A listener of `node:http`, which Express and Connect mount as a middleware too. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Makes a listener of a handler, for `node:http` and Express. Under a path (`app.use('/agents', …)`) Express passes the rest
 * of the path, so that `basePath` stays at its default. Middleware before it may have read the body as JSON.
 *
 * ```ts
 * createServer(toNodeHandler(handler)).listen(8000);
 * app.use('/agents', toNodeHandler(handler));
 * ```
 */
export function toNodeHandler(handler: AdornHandler): NodeListener {
  const listen = getRequestListener((request, env) => handler(withBody(request, env), env), {
    overrideGlobalObjects: false,
  });
  return async (request, response) => {
    await listen(request, response);
  };
}

/** The request with the body that a middleware such as `express.json()` has read already. */
function withBody(request: Request, env: unknown): Request {
  const { incoming } = env as { incoming: IncomingMessage & { body?: unknown } };
  if (incoming.body === undefined || !incoming.readableEnded) return request;
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  const { method, url, signal } = request;
  return new Request(url, { method, headers, signal, body: JSON.stringify(incoming.body) });
}
