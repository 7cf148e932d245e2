import type { InboxPage, InboxQuery } from '@adorn/core';
import { AdornError } from '@adorn/core';
import type { Context, Hono } from 'hono';

import { type Caller, signatureOf, userOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { RequestInvalidError } from '../errors.js';
import type { ServerContext } from '../server-context.js';

type RouteContext = Context<ServerEnv>;

/** What waits in the conversations of all users for whoever asks. */
export function inboxRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/adorn/apps/:app/inbox', async (c) => c.json(await inboxOf(server, c)));
}

/**
 * A page of the requests that the caller may answer, of whatever user. Who that is, `authenticate` says, and nothing in the request. The
 * holder of the token, who may act as any user, sees all requests, or what the user may answer whom it names.
 *
 * @throws {NotFoundError} if there is no such application, or another user is named
 * @throws {RequestInvalidError}
 */
async function inboxOf({ apps }: ServerContext, c: RouteContext): Promise<InboxPage> {
  const { req } = c;
  const runner = apps.get(req.param('app') ?? '');
  const by = answererOf(c.get('caller'), req.query('user'));
  const query: InboxQuery = {
    for: by,
    tool: req.query('tool'),
    olderThan: req.query('olderThan'),
    after: req.query('after'),
    limit: limitOf(req.query('limit')),
  };
  try {
    return await runner.inbox(query);
  } catch (error) {
    if (!AdornError.is(error) || error.code !== 'OPTION_INVALID') throw error;
    const cure = 'Pass olderThan as 30m or 4h, a limit from 1 to 1000, and next of the page before as after.';
    throw new RequestInvalidError('The query of the inbox cannot be used', cure, 'query');
  }
}

/** Undefined for all requests. */
function answererOf(caller: Caller, named: string | undefined): InboxQuery['for'] {
  const userId = userOf(caller, named);
  return caller.isAnyUser && named === undefined ? undefined : signatureOf(caller, userId).by;
}

/** What is no number is refused with the rest of the query. */
function limitOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
