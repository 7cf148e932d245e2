import type { Context, Hono } from 'hono';

import { signatureOf, userOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { RequestInvalidError } from '../errors.js';
import type { ServerContext } from '../server-context.js';
import type { Upgrade } from './live-sockets.js';

/** Live conversations of adk-web. The answer to a request for a WebSocket is written by `LiveSockets`. */
export function liveRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/run_live', (c) => admit(server, c));
}

async function admit(server: ServerContext, c: Context<ServerEnv>): Promise<Response> {
  const { upgrade } = (c.env ?? {}) as { upgrade?: Upgrade };
  if (upgrade === undefined)
    throw new RequestInvalidError('it is not for a WebSocket', 'Open /run_live as a WebSocket.');
  const runner = server.apps.named(queryOf(c, 'app_name', 'appName'));
  const sessionId = queryOf(c, 'session_id', 'sessionId');
  if (runner === undefined || sessionId === undefined)
    throw new RequestInvalidError(
      'an application or a session is not named',
      'Send app_name and session_id.',
    );
  const caller = c.get('caller');
  const userId = userOf(caller, queryOf(c, 'user_id', 'userId'));
  const key = { appName: runner.appName, userId, sessionId };
  const session = await runner.sessions.getSession(key, { numRecentEvents: 0 });
  if (caller.isDeveloper) server.recent.note(key);
  const signature = signatureOf(caller, userId);
  upgrade.address = { runner, key, isFound: session !== undefined, signature };
  return c.body(null, 204);
}

/** A parameter under its name in snake_case or camelCase. */
function queryOf({ req }: Context, ...names: readonly string[]): string | undefined {
  return names.map((name) => req.query(name)).find((value) => value !== undefined && value !== '');
}
