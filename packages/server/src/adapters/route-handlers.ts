import type { AdornHandler } from '../adorn-handler.js';

/** A route handler of Next.js, and of any framework that calls a function of a `Request`. */
type RouteHandler = (request: Request) => Promise<Response>;

/** The route handlers of a file `route.ts`. */
export type RouteHandlers = Record<'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS', RouteHandler>;

/**
 * Makes the route handlers of Next.js, for a file such as `app/agents/[...path]/route.ts`. The `basePath` of the handler is the
 * path of the folder.
 *
 * ```ts
 * export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = toRouteHandlers(handler);
 * ```
 *
 * @param handler or its promise, because a route file need not await
 */
export function toRouteHandlers(handler: AdornHandler | Promise<AdornHandler>): RouteHandlers {
  const answer: RouteHandler = async (request) => (await handler)(request);
  return { GET: answer, POST: answer, PATCH: answer, PUT: answer, DELETE: answer, OPTIONS: answer };
}
