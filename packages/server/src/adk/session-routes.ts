import { AdornError, type Event, type Runner, type SessionKey } from '@adorn/core';
import { adoptedRecord, eventFromJson, toPrincipal } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import { requireDeveloper, signatureOf } from '../access/caller.js';
import { clientState } from '../access/client-state.js';
import type { ServerEnv } from '../access/server-env.js';
import { openSession, requireRoom } from '../api/open-session.js';
import { NotFoundError } from '../errors.js';
import { addressed, bodyOf, requireSession, type ServerContext } from '../server-context.js';
import { adkSession, displayNameOf } from './adk-json.js';

type RouteContext = Context<ServerEnv>;

const SESSIONS = '/apps/:app/users/:user/sessions';

/** The sessions of a user. */
export function sessionRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(SESSIONS, (c) => listSessions(server, c));
  app.post(SESSIONS, (c) => createSession(server, c));
  app.post(`${SESSIONS}/:session`, (c) => createSession(server, c));
  app.get(`${SESSIONS}/:session`, (c) => loadSession(server, c));
  app.patch(`${SESSIONS}/:session`, (c) => patchSession(server, c));
  app.delete(`${SESSIONS}/:session`, (c) => deleteSession(server, c));
}

async function listSessions(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = addressed(server, c);
  const listed = await runner.sessions.listSessions({ appName: key.appName, userId: key.userId });
  return c.json(listed.map((session) => adkSession(session)));
}

/** Creates a session, or imports one if the body has events. */
async function createSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = addressed(server, c);
  const body = await bodyOf(server, c);
  const given = c.req.param('session') ?? body.optionalText('sessionId');
  const own = { ...key, sessionId: given ?? crypto.randomUUID() };
  const state = body.optionalObject('state');
  const events = body.optionalList('events') ?? [];
  if (events.length === 0)
    return c.json(adkSession(await openSession(server, runner, { key: own, state, caller })));
  requireDeveloper(caller);
  await requireRoom(server, runner, own);
  const record = {
    state: clientState(state ?? {}, caller),
    events: events.map(importedEvent),
    title: displayNameOf(state),
  };
  const adopted = adoptedRecord(record, toPrincipal(signatureOf(caller, userId).by, 'the token'), userId);
  return c.json(adkSession(await runner.sessions.importSession(own, adopted)));
}

/** Google's servers in TypeScript write milliseconds. */
function importedEvent(json: unknown): Event {
  const event = eventFromJson(json);
  return event.timestamp > 1e11 ? event.with({ timestamp: event.timestamp / 1000 }) : event;
}

async function loadSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = addressed(server, c);
  const session = await runner.sessions.getSession(key);
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  return c.json(adkSession(session));
}

async function patchSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, key } = addressed(server, c);
  await requireSession(runner, key);
  const delta = (await bodyOf(server, c)).object('stateDelta');
  const session = await runner.sessions.updateSession(key, clientState(delta, caller));
  const title = displayNameOf(delta);
  if (title === undefined) return c.json(adkSession(session));
  await renameIfPossible(runner, key, title);
  return c.json(adkSession(session, title));
}

/** The name is in the state already, for stores without titles. */
async function renameIfPossible(
  { sessions }: Runner<unknown>,
  key: SessionKey,
  title: string,
): Promise<void> {
  try {
    await sessions.renameSession(key, title);
  } catch (error) {
    if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
  }
}

async function deleteSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = addressed(server, c);
  await requireSession(runner, key);
  await server.runs.stopSession(key);
  await runner.sessions.deleteSession(key);
  return c.body(null, 204);
}
