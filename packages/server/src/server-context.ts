import type { Logger, Runner, SessionKey } from '@adorn/core';
import type { Context } from 'hono';

import { type Caller, userOf } from './access/caller.js';
import type { ServerEnv } from './access/server-env.js';
import type { RecentSessions } from './adk/recent-sessions.js';
import type { ServedApps } from './apps/served-apps.js';
import { NotFoundError } from './errors.js';
import { RequestBody } from './http/request-body.js';
import type { Limits, Quotas } from './limits/limits.js';
import type { ActiveRuns } from './runs/active-runs.js';

/** What the routes of a server share. */
export interface ServerContext {
  readonly apps: ServedApps;
  readonly runs: ActiveRuns;
  /** The sessions that developers used last. */
  readonly recent: RecentSessions;
  readonly limits: Limits;
  /** What users hold at once. */
  readonly quotas: Quotas;
  /** Milliseconds that a run goes on without a reader that may come back. */
  readonly graceMs: number;
  readonly heartbeatMs: number | undefined;
  readonly logger: Logger;
}

/** The application and the user of a request, and their session if the path names one. */
export interface Addressed {
  readonly runner: Runner<unknown>;
  readonly caller: Caller;
  readonly userId: string;
  readonly key: SessionKey;
}

/**
 * What a request is about: by its path, its query and its caller.
 *
 * @throws {NotFoundError} if there is no such application, or it names another user
 */
export function addressed({ apps, recent }: ServerContext, context: Context<ServerEnv>): Addressed {
  const { req } = context;
  const caller = context.get('caller');
  const runner = apps.get(req.param('app') ?? '');
  const userId = userOf(caller, req.param('user') ?? req.query('user'));
  const key = { appName: runner.appName, userId, sessionId: req.param('session') ?? '' };
  if (key.sessionId !== '' && caller.isDeveloper) recent.note(key);
  return { runner, caller, userId, key };
}

/**
 * Checks that a session exists, without loading its events.
 *
 * @throws {NotFoundError}
 */
export async function requireSession({ sessions }: Runner<unknown>, key: SessionKey) {
  const session = await sessions.getSession(key, { numRecentEvents: 0 });
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  return session;
}

/**
 * The body of a request.
 *
 * @throws {RequestInvalidError} if it is too large or no JSON object
 * @throws {LimitReachedError} if too many bodies are read at once
 */
export async function bodyOf(
  { limits, quotas }: ServerContext,
  context: Context<ServerEnv>,
): Promise<RequestBody> {
  const held = quotas.bodies.open(context.get('caller').userId);
  try {
    return await RequestBody.read(context, limits, held);
  } finally {
    held.release();
  }
}
