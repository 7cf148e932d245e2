import { type CallUi, uiOfCall } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError } from '../errors.js';
import { addressed, type Addressed, bodyOf, type ServerContext } from '../server-context.js';
import { callFromUi, pendingFor } from './call-from-ui.js';
import { type CallUiJson, isWaitingUiCall, type UiCallOutcome } from './call-ui-json.js';
import { pageHeaders } from './page-policy.js';

type RouteContext = Context<ServerEnv>;

const UI = '/adorn/apps/:app/sessions/:session/calls/:call/ui';

/** The pages of calls (MCP Apps), for whoever may read the conversation: the page itself, and the calls that it makes. */
export function callUiRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(UI, (c) => readUi(server, c));
  app.get(`${UI}/frame`, (c) => frameUi(server, c));
  app.post(`${UI}/calls`, (c) => postCall(server, c));
  app.get(`${UI}/calls/:made`, (c) => readCall(server, c));
}

/** The page within JSON: a browser that opens the address runs nothing of it. */
async function readUi(server: ServerContext, c: RouteContext): Promise<Response> {
  const ui = await openUi(addressed(server, c), c);
  const { args, result, callable } = ui;
  const page = await ui.read({ logger: server.logger });
  return c.json({ ...page, args, result, callable } satisfies CallUiJson);
}

/**
 * The page as the document of a frame, in a sandbox.
 *
 * @throws {NotFoundError} for a browser that would show it as a page of its own
 */
async function frameUi(server: ServerContext, c: RouteContext): Promise<Response> {
  const shownIn = c.req.header('sec-fetch-dest') ?? 'iframe';
  if (shownIn !== 'iframe') throw new NotFoundError('The page of a call is shown in a frame.');
  const ui = await openUi(addressed(server, c), c);
  const page = await ui.read({ logger: server.logger });
  return c.body(page.html, 200, pageHeaders(page));
}

async function postCall(server: ServerContext, c: RouteContext): Promise<Response> {
  const place = addressed(server, c);
  const body = await bodyOf(server, c);
  const name = body.text('name');
  const args = body.optionalObject('arguments') ?? {};
  const outcome = await callFromUi(server, place, await openUi(place, c), { name, args });
  return outcomeJson(c, outcome);
}

/** What became of a call that the page has made. */
async function readCall(server: ServerContext, c: RouteContext): Promise<Response> {
  const place = addressed(server, c);
  const callId = c.req.param('made') ?? '';
  const ui = await openUi(place, c);
  const result = ui.resultOf(callId);
  return outcomeJson(
    c,
    result ?? { callId, pending: pendingFor(callId, await place.runner.pending(place.key)) },
  );
}

function openUi({ runner, key: { userId, sessionId } }: Addressed, c: RouteContext): Promise<CallUi> {
  const callId = c.req.param('call') ?? '';
  return uiOfCall(runner, { userId, sessionId, callId, signal: c.req.raw.signal });
}

function outcomeJson(c: RouteContext, outcome: UiCallOutcome): Response {
  return c.json(outcome, isWaitingUiCall(outcome) ? 202 : 200);
}
