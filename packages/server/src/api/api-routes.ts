import type { Message, PendingRequest, Runner, SessionKey } from '@adorn/core';
import { feedbackOf, functionResponsesOf, principalIn, RequestNotPendingError } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import { type Caller, signatureOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { clientState, storeSharedState } from '../access/client-state.js';
import { NotFoundError, RequestInvalidError } from '../errors.js';
import { callUiRoutes } from '../call-ui/call-ui-routes.js';
import { serverSentEvent } from '../frames/server-sent-event.js';
import { frameText } from '../frames/sse.js';
import type { RequestBody } from '../http/request-body.js';
import { followStored } from '../runs/follow-stored.js';
import type { RunItem } from '../runs/run-reader.js';
import {
  type Addressed,
  addressed,
  addressedToAnswer,
  bodyOf,
  nothingOpenFor,
  requestsFor,
  requireSession,
  type ServerContext,
} from '../server-context.js';
import { artifactFileRoutes } from './artifact-routes.js';
import { countOf } from './count-of.js';
import { developerRoutes } from './developer-routes.js';
import { inboxRoutes } from './inbox-routes.js';
import { memoryOfUserRoutes } from './memory-routes.js';
import { openSession } from './open-session.js';
import { profileRoutes } from './profile-routes.js';
import { readTimeOf } from './read-time.js';
import { historyFrames, sessionJson } from './session-json.js';
import { streamNewRun, streamReader } from './stream-run.js';

type RouteContext = Context<ServerEnv>;

const APP = '/adorn/apps/:app';
const SESSION = `${APP}/sessions/:session`;
const FRAMES = { encode: frameText };

/** The routes of Adorn's own clients. */
export function apiRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/adorn/apps', (c) => c.json(server.apps.all.map(appJson)));
  app.get(`${APP}/sessions`, (c) => listSessions(server, c));
  app.post(`${APP}/sessions`, (c) => createSession(server, c));
  app.get(SESSION, (c) => loadSession(server, c));
  app.patch(SESSION, (c) => changeSession(server, c));
  app.delete(SESSION, (c) => deleteSession(server, c));
  app.post(`${SESSION}/runs`, (c) => sendMessage(server, c));
  app.post(`${SESSION}/messages`, (c) => postMessage(server, c));
  app.get(`${SESSION}/runs/:invocation`, (c) => followRun(server, c));
  app.delete(`${SESSION}/runs/:invocation`, (c) => stopRun(server, c));
  app.post(`${SESSION}/feedback`, (c) => giveFeedback(server, c));
  app.get(`${SESSION}/requests`, (c) => listRequests(server, c));
  app.post(`${SESSION}/requests/:request`, (c) => answerRequest(server, c));
  inboxRoutes(app, server);
  artifactFileRoutes(app, server);
  memoryOfUserRoutes(app, server);
  profileRoutes(app, server);
  developerRoutes(app, server);
  callUiRoutes(app, server);
}

function appJson({ appName: name, root }: Runner<unknown>) {
  return { name, agent: root.name, description: root.description };
}

async function listSessions(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId, key } = addressed(server, c);
  const limit = countOf(c, 'limit') ?? 100;
  const offset = countOf(c, 'offset') ?? 0;
  const listed = await runner.sessions.listSessions({ appName: key.appName, userId }, { limit, offset });
  return c.json(listed.map((session) => sessionJson(session)));
}

async function createSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, key } = addressed(server, c);
  const body = await bodyOf(server, c);
  const session = await openSession(server, runner, {
    key: { ...key, sessionId: body.optionalText('id') ?? crypto.randomUUID() },
    state: body.optionalObject('state'),
    caller,
  });
  return c.json(sessionJson(session), 201);
}

async function loadSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = addressed(server, c);
  const session = await runner.sessions.getSession(key);
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  const [active] = server.runs.ofSession(key);
  const activeRun = active?.invocationId ?? (await unendedRun(runner, key));
  const pending = await runner.pending(key);
  const feedback = feedbackOf(session);
  return c.json({ ...sessionJson(session), frames: historyFrames(session), pending, feedback, activeRun });
}

/** A run of another process, or one whose process died: who follows it is told. */
async function unendedRun(
  runner: Runner<unknown>,
  { userId, sessionId }: SessionKey,
): Promise<string | undefined> {
  const open = await runner.findOpenRun({ userId, sessionId });
  return open === undefined || open.place === 'left' ? undefined : open.invocationId;
}

async function changeSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, key } = addressed(server, c);
  const session = await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const title = body.optionalText('title');
  const delta = body.optionalObject('stateDelta');
  if (title !== undefined) await runner.sessions.renameSession(key, title);
  const changed =
    delta === undefined ? session : await runner.sessions.updateSession(key, clientState(delta, caller));
  return c.json(sessionJson(changed, title ?? changed.title));
}

async function deleteSession(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = addressed(server, c);
  await requireSession(runner, key);
  await server.runs.stopSession(key);
  await runner.sessions.deleteSession(key);
  return c.body(null, 204);
}

async function sendMessage(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = addressed(server, c);
  await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const message = messageOf(body);
  const delta = body.optionalObject('stateDelta');
  const stateDelta = delta && (await storeSharedState(runner, key, clientState(delta, caller)));
  const config = streamingOf(body);
  const signed = signatureOf(caller, userId);
  const begin = () =>
    runner.run({ userId, sessionId: key.sessionId, message, stateDelta, config, ...signed });
  return streamNewRun(server, c, { key, userId }, begin, FRAMES);
}

/**
 * Sends a message to the run that is open, in whatever process. The answer says which run reads it; a run that begins here
 * goes on without a reader.
 */
async function postMessage(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = addressed(server, c);
  await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const address = { userId, sessionId: key.sessionId };
  const options = {
    when: readTimeOf(body.value('when')),
    ...streamingOf(body),
    ...signatureOf(caller, userId),
  };
  const { id, invocationId, run } = await runner.send(address, messageOf(body), options);
  if (run) server.runs.add(key, run, Infinity);
  return c.json({ id, invocationId }, 202);
}

function messageOf(body: RequestBody): Message {
  const message = body.value('message') as Message | undefined;
  if (message === undefined)
    throw new RequestInvalidError('"message" is absent', 'Send a text or a content.', 'message');
  return message;
}

/** Answers are streamed unless the client says otherwise. */
function streamingOf(body: RequestBody) {
  return { streaming: body.optionalBoolean('streaming') === false ? 'none' : 'sse' } as const;
}

async function followRun(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key, isOwner } = addressedToAnswer(server, c);
  const invocationId = c.req.param('invocation') ?? '';
  if (!isOwner) await requireAnswerOf(caller, runner, key, invocationId);
  const lastEventId = c.req.header('last-event-id') ?? c.req.query('lastEventId');
  const stored = { invocationId, afterEventId: lastEventId, recoveryMs: server.recoveryMs };
  const follow = () =>
    server.runs.find(key, invocationId)?.follow(lastEventId) ?? followStored(runner, key, stored);
  if (isOwner) return streamReader(server, c, userId, follow, FRAMES);
  return streamReader(server, c, caller.userId, follow, OUTCOME_ONLY);
}

/**
 * Checks that a caller has answered a request by a run of another's session, and so may read how it ended.
 *
 * @throws {NotFoundError} if not: whether there is such a session or run is not told
 */
async function requireAnswerOf(
  { principal }: Caller,
  runner: Runner<unknown>,
  key: SessionKey,
  invocationId: string,
): Promise<void> {
  const session = await runner.sessions.getSession(key);
  const isOwn = (response: Readonly<Record<string, unknown>> | undefined): boolean => {
    const answering = principalIn(response)?.principal;
    return answering?.id === principal.id && answering.tenant === principal.tenant;
  };
  const hasAnswered = session?.events.some(
    (event) =>
      event.author === 'user' &&
      event.invocationId === invocationId &&
      functionResponsesOf(event.content).some(({ response }) => isOwn(response)),
  );
  if (hasAnswered !== true) throw new NotFoundError(`Run not found: ${invocationId}`);
}

async function stopRun(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId, key } = addressed(server, c);
  await requireSession(runner, key);
  const invocationId = c.req.param('invocation') ?? '';
  const feed = server.runs.find(key, invocationId);
  if (feed !== undefined && !feed.hasEnded) {
    feed.stop();
    return c.json({ stopped: true });
  }
  const stopped = await runner.cancelRun({ userId, sessionId: key.sessionId, invocationId });
  return c.json({ stopped });
}

/** Whoever reads the session may judge its answers. A score that is `null` takes back what the caller has said before. */
async function giveFeedback(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = addressed(server, c);
  await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const { by } = signatureOf(caller, userId);
  const given = await runner.feedback({
    ...{ userId, sessionId: key.sessionId, by },
    eventId: body.optionalText('eventId'),
    invocationId: body.optionalText('invocationId'),
    score: scoreOf(body),
    label: body.optionalText('label'),
    comment: body.optionalText('comment'),
  });
  return c.json({ feedback: given ?? null });
}

function scoreOf(body: RequestBody): number | null {
  const score = body.value('score');
  if (typeof score === 'number') return score;
  if (body.isNull('score')) return null;
  const fault = score === undefined ? '"score" is absent' : '"score" is no number';
  throw new RequestInvalidError(fault, 'Send a number from 0 to 1, or null to take it back.', 'score');
}

async function listRequests(server: ServerContext, c: RouteContext): Promise<Response> {
  return c.json(await requestsFor(addressedToAnswer(server, c)));
}

async function answerRequest(server: ServerContext, c: RouteContext): Promise<Response> {
  const place = addressedToAnswer(server, c);
  const { caller, userId, key, isOwner } = place;
  const open = await requestsFor(place);
  const body = await bodyOf(server, c);
  const id = c.req.param('request') ?? '';
  const request = open.find((one) => one.id === id);
  if (request === undefined && !isOwner) throw nothingOpenFor();
  if (request === undefined) throw new RequestNotPendingError(id);
  const begin = answerOf(place, request, body);
  if (isOwner) return streamNewRun(server, c, { key, userId }, begin, FRAMES);
  return streamNewRun(server, c, { key, userId: caller.userId }, begin, OUTCOME_ONLY);
}

/**
 * What somebody reads who answers in another's session: how the run ended, and nothing that was said. The run goes on without
 * a reader.
 */
const OUTCOME_ONLY = { encode: outcomeText, graceMs: Infinity };

function outcomeText(item: RunItem): string {
  if (item.kind === 'event') return '';
  if ('error' in item.ending) return frameText(item);
  const { status, invocationId } = item.ending.result;
  return serverSentEvent({ kind: 'end', status, invocationId });
}

/** @throws {RequestInvalidError} */
function answerOf({ runner, caller, userId }: Addressed, request: PendingRequest, body: RequestBody) {
  const signed = { ...signatureOf(caller, userId), config: streamingOf(body) };
  const decision = body.text('decision');
  switch (decision) {
    case 'approve': {
      const remember = rememberOf(body);
      const options = { payload: body.value('payload'), args: body.optionalObject('args'), remember };
      return () => runner.approve(request, { ...options, ...signed });
    }
    case 'reject': {
      const reason = body.optionalText('reason');
      return () => runner.reject(request, reason === undefined ? signed : { reason, ...signed });
    }
    case 'supply': {
      const willContinue = body.optionalBoolean('willContinue');
      const options = willContinue === undefined ? signed : { willContinue, ...signed };
      return () => runner.supply(request, body.value('value'), options);
    }
    case 'delegate': {
      const to = body.text('to');
      return () => runner.delegate(request, { to, ...signed });
    }
    default: {
      const cure = 'Send approve, reject, supply or delegate.';
      throw new RequestInvalidError(`"decision" is ${JSON.stringify(decision)}`, cure, 'decision');
    }
  }
}

function rememberOf(body: RequestBody): 'session' | undefined {
  const remember = body.optionalText('remember');
  if (remember === undefined || remember === 'session') return remember;
  const fault = `"remember" is ${JSON.stringify(remember)}`;
  throw new RequestInvalidError(fault, 'Send session, or leave it out.', 'remember');
}
