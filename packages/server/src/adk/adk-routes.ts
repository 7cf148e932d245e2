import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import type { ServerContext } from '../server-context.js';

/** The routes of adk-web, as Google's servers have them. */
export function adkRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/list-apps', (c: Context<ServerEnv>) => c.json(server.apps.names));
}
