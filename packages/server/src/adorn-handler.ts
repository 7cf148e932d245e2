import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { ConsoleLogger } from '@adorn/core';
import { RecoverySweep } from '@adorn/core/backend';
import { withinTrace } from '@adorn/http';
import { type Context, Hono } from 'hono';

import { accessGuard, type GuardOptions } from './access/access-guard.js';
import type { ServerEnv } from './access/server-env.js';
import { adkRoutes } from './adk/adk-routes.js';
import { RecentSessions } from './adk/recent-sessions.js';
import { apiRoutes } from './api/api-routes.js';
import { ServedApps } from './apps/served-apps.js';
import { checkHandlerOptions } from './check-options.js';
import { doorsTable, type DoorFacts } from './doors-table.js';
import { NotFoundError } from './errors.js';
import { serveEndpoints } from './endpoints/serve-endpoints.js';
import { errorResponse } from './http/error-response.js';
import { InboxWebhook } from './inbox/inbox-webhook.js';
import { limitsOf, quotasOf } from './limits/limits.js';
import { liveRoutes } from './live/live-routes.js';
import { LiveSockets } from './live/live-sockets.js';
import { pageRoutes, studioFolder } from './page/page-routes.js';
import { ActiveRuns } from './runs/active-runs.js';
import { isReadElsewhere } from './runs/readers-elsewhere.js';
import type { ServerContext } from './server-context.js';
import { agUiRoutes } from './ui/ag-ui-routes.js';
import { uiMessageRoutes } from './ui/ui-message-routes.js';
import type { AppSource, HandlerOptions } from './server-options.js';

/**
 * An endpoint for agents as a fetch handler, which any framework mounts: a function of a `Request`.
 *
 * @property upgrade opens WebSockets of live conversations: `server.on('upgrade', handler.upgrade)` of a `node:http` server
 * @property doors for each application a table of its doors: whom each lets in, and who answers what its tools ask
 * @property close cancels the runs, and closes the runners that were created here
 */
export interface AdornHandler {
  (request: Request, env?: unknown): Promise<Response>;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  readonly doors: readonly string[];
  close(): Promise<void>;
}

/**
 * Makes a fetch handler for agents: adk-web's protocol, Adorn's own routes under `/adorn`, and the streams of AG-UI and the
 * AI SDK.
 *
 * ```ts
 * const handler = await adornHandler(Desk, { authenticate: (request) => userOf(request) });
 * ```
 *
 * @throws {ServerOptionInvalidError} if an option does not exist or cannot be used, or nothing says who may call
 * @throws {AdornError} as `createRunner`
 */
export async function adornHandler(
  sources: AppSource | readonly AppSource[],
  options: HandlerOptions,
): Promise<AdornHandler> {
  checkHandlerOptions('adornHandler', options);
  return openHandler('adornHandler', sources, options);
}

/** Hono answers HEAD as GET and leaves the body unread: it ends here, and with it the stream or the file that it reads. */
async function withoutBodyOfHead(context: Context, next: () => Promise<void>): Promise<void> {
  await next();
  if (context.req.method === 'HEAD') await context.res.body?.cancel();
}

/** How long readers wait for the recovery of a run whose process died, in milliseconds: several looks of the sweep. */
const RECOVERY_MS = 30_000;

/** Makes a handler from checked options. @param extend adds routes behind those of the server, and before the page */
export async function openHandler(
  caller: string,
  sources: AppSource | readonly AppSource[],
  options: HandlerOptions & GuardOptions,
  extend?: (app: Hono<ServerEnv>, apps: ServedApps) => void,
): Promise<AdornHandler> {
  const { reconnectGrace = 30_000, recover = {}, heartbeatMs, logger = new ConsoleLogger() } = options;
  const limits = limitsOf(options.limits);
  const apps = await ServedApps.open(caller, sources, options.runner);
  const server: ServerContext = {
    apps,
    runs: new ActiveRuns((key, invocationId) => isReadElsewhere(apps, key, invocationId)),
    recent: new RecentSessions(),
    limits,
    quotas: quotasOf(limits),
    graceMs: reconnectGrace === 'never' ? Infinity : reconnectGrace,
    recoveryMs: recover === false ? 0 : RECOVERY_MS,
    heartbeatMs,
    profiles: options.profiles ?? [],
    logger,
  };
  const { page = false, basePath = '/' } = options;
  const root = basePath.replace(/\/$/, '');
  const app = new Hono<ServerEnv>({ strict: false }).basePath(basePath);
  app.use(withoutBodyOfHead);
  // Before the guard: they check by signatures who sent a request.
  const closeEndpoints = serveEndpoints(app, server, { caller, endpoints: options.endpoints ?? [] });
  // Hono leaves the last slash out of a path.
  const pages = [...(options.pages ?? []), ...(page === false ? [] : [root || '/'])];
  app.use(accessGuard({ ...options, pages }));
  adkRoutes(app, server, options.evals);
  apiRoutes(app, server);
  uiMessageRoutes(app, server);
  agUiRoutes(app, server);
  liveRoutes(app, server);
  extend?.(app, apps);
  if (page !== false) pageRoutes(app, { root, folder: page === true ? studioFolder() : page });
  app.notFound(({ req }) => errorResponse(new NotFoundError(`There is nothing at ${req.path}.`), logger));
  app.onError((error) => errorResponse(error, logger));
  const handle = async (request: Request, env?: unknown): Promise<Response> =>
    withinTrace(request.headers, () => app.fetch(request, env));
  const sweeps =
    recover === false ? [] : apps.all.map((runner) => new RecoverySweep(runner, recover, logger));
  const { inboxWebhook } = options;
  const webhooks =
    inboxWebhook === undefined
      ? []
      : apps.all.map((runner) => new InboxWebhook(runner, inboxWebhook, logger));
  const live = new LiveSockets(handle, server, `${root}/run_live`);
  const close = async (): Promise<void> => {
    const swept = Promise.all([...[...sweeps, ...webhooks].map((one) => one.close()), closeEndpoints()]);
    await live.close();
    await server.runs.stopAll();
    await swept;
    await apps.close();
  };
  const doors = apps.all.map((runner) => doorsTable(runner, doorFacts(options)));
  return Object.assign(handle, { close, upgrade: live.upgrade, doors });
}

function doorFacts(options: HandlerOptions & GuardOptions): DoorFacts {
  return {
    isAuthenticated: options.authenticate !== undefined,
    hasToken: options.token !== undefined,
    hasPeers: options.peerPath !== undefined,
    endpoints: (options.endpoints ?? []).map(({ path }) => path),
  };
}
