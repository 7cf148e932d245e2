import type { Logger, PendingRequest, Runner, SessionKey } from '@adorn/core';
import type { Context } from 'hono';

import { type Caller, userOf } from './access/caller.js';
import type { ServerEnv } from './access/server-env.js';
import type { RecentSessions } from './adk/recent-sessions.js';
import type { ServedApps } from './apps/served-apps.js';
import { NotFoundError } from './errors.js';
import { RequestBody } from './http/request-body.js';
import type { Limits, Quotas } from './limits/limits.js';
import type { ActiveRuns } from './runs/active-runs.js';
import type { ServedProfile } from './server-options.js';

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
  /** Milliseconds that readers of a run whose process died wait for its recovery; 0 if the server recovers none. */
  readonly recoveryMs: number;
  readonly heartbeatMs: number | undefined;
  /** What agents keep of users, to be seen and corrected by them. */
  readonly profiles: readonly ServedProfile[];
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

/** What an answer is about, and whether who sends it may see the rest of the session. */
export interface AnswerAddressed extends Addressed {
  /** False for somebody who is not the user of the session: only what this one may answer is told. */
  readonly isOwner: boolean;
}

/**
 * What an answer is about: of whatever session, because who may answer is not always its user. For another user's session
 * the route tells only of requests that the caller may answer, see {@link requestsFor}.
 *
 * @throws {NotFoundError} if there is no such application
 */
export function addressedToAnswer(server: ServerContext, context: Context<ServerEnv>): AnswerAddressed {
  const { req } = context;
  const caller = context.get('caller');
  const named = req.param('user') ?? req.query('user');
  if (named === undefined || named === caller.userId || caller.isAnyUser)
    return { ...addressed(server, context), isOwner: true };
  const runner = server.apps.get(req.param('app') ?? '');
  const key = { appName: runner.appName, userId: named, sessionId: req.param('session') ?? '' };
  return { runner, caller, userId: named, key, isOwner: false };
}

/**
 * The open requests of a session that a caller may know of: all of one's own session, and those of another's that one may
 * answer.
 *
 * @throws {NotFoundError} if there is no such session, or none of its requests is for the caller: its existence is not told
 */
export async function requestsFor({
  runner,
  caller,
  key,
  isOwner,
}: AnswerAddressed): Promise<PendingRequest[]> {
  if (isOwner) {
    await requireSession(runner, key);
    return runner.pending(key);
  }
  const open = await runner.pending({ ...key, for: caller.principal });
  if (open.length === 0) throw nothingOpenFor();
  return open;
}

/** The refusal of an answer in another's session: the same whether the request was answered, is somebody else's, or never was. */
export function nothingOpenFor(): NotFoundError {
  return new NotFoundError(
    'No such request is open for you: it was answered already, has ended, or is not yours to answer.',
  );
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
