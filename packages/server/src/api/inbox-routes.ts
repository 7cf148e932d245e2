import { AdornError, type Runner } from '@adorn/core';
import type { InboxChange, InboxFilter, InboxPage, InboxQuery } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import { type Caller, signatureOf, userOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { RequestInvalidError } from '../errors.js';
import { serverSentEvent } from '../frames/server-sent-event.js';
import { connectionEnder } from '../http/node-connection.js';
import { type TextSource, textStream } from '../runs/event-stream.js';
import type { ServerContext } from '../server-context.js';

type RouteContext = Context<ServerEnv>;

/**
 * What waits in the conversations of all users for whoever asks. Who that is, `authenticate` says, and nothing in the request. The
 * holder of the token, who may act as any user, sees all requests, or what the user may answer whom it names.
 */
export function inboxRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/adorn/apps/:app/inbox', async (c) => c.json(await pageOf(server, c)));
  app.get('/adorn/apps/:app/inbox/events', (c) => streamChanges(server, c));
}

/**
 * @throws {NotFoundError} if there is no such application, or another user is named
 * @throws {RequestInvalidError}
 */
async function pageOf(server: ServerContext, c: RouteContext): Promise<InboxPage> {
  const { runner, filter } = askedFor(server, c);
  const limit = c.req.query('limit');
  // What is no number is refused with the rest of the query.
  const page = { after: c.req.query('after'), limit: limit === undefined ? undefined : Number(limit) };
  return readPage(runner, { ...filter, ...page });
}

/**
 * The open requests, and then each change of them, as server-sent events. The stream ends after some minutes, so that the credential of
 * its reader is looked at again: clients open the next one.
 */
async function streamChanges(server: ServerContext, c: RouteContext): Promise<Response> {
  const { quotas, limits, heartbeatMs } = server;
  const { runner, filter, userId } = askedFor(server, c);
  // A query that cannot be used is refused before the stream begins.
  await readPage(runner, { ...filter, limit: 1 });
  const { release } = quotas.streams.open(userId, 1);
  const { stalledMs } = limits;
  const options = { heartbeatMs, stalledMs, drop: connectionEnder(c), onEnd: release };
  return textStream(changesOf(runner, filter), options);
}

/** Milliseconds for which a credential is believed. */
const STREAM_MS = 300_000;

function changesOf(runner: Runner<unknown>, filter: InboxFilter): TextSource {
  const leaving = new AbortController();
  const over = setTimeout(() => {
    leaving.abort();
  }, STREAM_MS).unref();
  const changes = runner.watchInbox(filter, { signal: leaving.signal });
  return {
    next: async () => {
      const { value } = (await changes.next()) as { readonly value: InboxChange | undefined };
      return value && serverSentEvent(value);
    },
    leave: () => {
      clearTimeout(over);
      leaving.abort();
    },
  };
}

function askedFor({ apps }: ServerContext, c: RouteContext) {
  const { req } = c;
  const runner = apps.get(req.param('app') ?? '');
  const caller = c.get('caller');
  const userId = userOf(caller, req.query('user'));
  const by = answererOf(caller, req.query('user'), userId);
  const filter: InboxFilter = { for: by, tool: req.query('tool'), olderThan: req.query('olderThan') };
  return { runner, userId, filter };
}

/** Undefined for all requests. */
function answererOf(caller: Caller, named: string | undefined, userId: string): InboxFilter['for'] {
  return caller.isAnyUser && named === undefined ? undefined : signatureOf(caller, userId).by;
}

/** @throws {RequestInvalidError} */
async function readPage(runner: Runner<unknown>, query: InboxQuery): Promise<InboxPage> {
  try {
    return await runner.inbox(query);
  } catch (error) {
    if (!AdornError.is(error) || error.code !== 'OPTION_INVALID') throw error;
    const cure = 'Pass olderThan as 30m or 4h, a limit from 1 to 1000, and next of the page before as after.';
    throw new RequestInvalidError('The query of the inbox cannot be used', cure, 'query');
  }
}
