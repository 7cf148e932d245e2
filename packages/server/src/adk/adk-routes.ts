import type { Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import type { ServerContext } from '../server-context.js';
import type { EvalOptions } from '../server-options.js';
import { artifactRoutes } from './artifact-routes.js';
import { debugRoutes } from './debug-routes.js';
import { evalRoutes } from './eval-routes.js';
import { memoryRoutes } from './memory-routes.js';
import { runRoutes } from './run-routes.js';
import { sessionRoutes } from './session-routes.js';

/**
 * The routes of adk-web, as Google's servers have them. Builder and tests are answered with 404, which hides them; so are
 * evaluations without a store for them.
 */
export function adkRoutes(app: Hono<ServerEnv>, server: ServerContext, evals?: EvalOptions): void {
  app.get('/health', (c) => c.text('OK'));
  app.get('/version', (c) => c.json({ version: VERSION, language: 'typescript' }));
  app.get('/list-apps', (c) => c.json(server.apps.names));
  app.on(['GET', 'POST'], '/config/telemetry', (c) => c.json({ telemetry: false }));
  sessionRoutes(app, server);
  runRoutes(app, server);
  artifactRoutes(app, server);
  memoryRoutes(app, server);
  debugRoutes(app, server);
  if (evals) evalRoutes(app, server, evals);
}

/** The version of this package. */
const VERSION = '0.1.0';
