import type { Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError } from '../errors.js';
import { addressed, bodyOf, type ServerContext } from '../server-context.js';

/** The memory of a user, to which a client adds a session: `{ sessionId }`. */
export function memoryRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.patch('/apps/:app/users/:user/memory', async (c) => {
    const { runner, key } = addressed(server, c);
    const sessionId = (await bodyOf(server, c)).text('sessionId');
    const session = await runner.sessions.getSession({ ...key, sessionId });
    if (session === undefined) throw new NotFoundError(`Session not found: ${sessionId}`);
    await runner.memory.addSessionToMemory(session);
    return c.body(null, 204);
  });
}
