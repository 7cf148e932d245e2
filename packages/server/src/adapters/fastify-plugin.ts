import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AdornHandler } from '../adorn-handler.js';
import { toNodeHandler } from './node-handler.js';

/** What the plugin needs of a Fastify instance. */
interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  all(path: string, answer: (request: { raw: IncomingMessage }, reply: ReplyLike) => unknown): unknown;
}

interface ReplyLike {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/**
 * Makes a plugin for Fastify. Its routes are those of the handler, whose `basePath` is the plugin's prefix.
 *
 * ```ts
 * const handler = await adornHandler(Desk, { authenticate, basePath: '/agents' });
 * await fastify.register(toFastifyPlugin(handler), { prefix: '/agents' });
 * ```
 */
export function toFastifyPlugin(handler: AdornHandler) {
  const listen = toNodeHandler(handler);
  return async (fastify: FastifyLike): Promise<void> => {
    // The handler reads the body itself, within its limit. Parsers belong to the plugin's scope.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, _payload, done) => {
      done(null);
    });
    fastify.all('/*', (request, reply) => {
      reply.hijack();
      return listen(request.raw, reply.raw);
    });
  };
}
