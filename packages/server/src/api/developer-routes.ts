import { exportSession, importSession, type Message, type Tool } from '@adorn/core';
import { agentGraph, type AgentGraph, untrustedPaths } from '@adorn/core/compiler';
import type { Context, Hono } from 'hono';

import { type Caller, requireDeveloper, signatureOf } from '../access/caller.js';
import { clientState } from '../access/client-state.js';
import type { ServerEnv } from '../access/server-env.js';
import { RequestInvalidError } from '../errors.js';
import { frameText } from '../frames/sse.js';
import { contentDisposition } from '../http/header-values.js';
import { requireFewValues } from '../http/request-body.js';
import { addressed, type Addressed, bodyOf, requireSession, type ServerContext } from '../server-context.js';
import { requireRoom } from './open-session.js';
import { sessionJson } from './session-json.js';
import { streamNewRun } from './stream-run.js';

type RouteContext = Context<ServerEnv>;

const APP = '/adorn/apps/:app';
const SESSION = `${APP}/sessions/:session`;

/** What developers do with an application: look inside, call its tools and undo calls, copy and rewind conversations. */
export function developerRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(`${APP}/graph`, (c) => graph(server, c));
  app.get(`${APP}/tools`, (c) => listTools(server, c));
  app.post(`${SESSION}/calls`, (c) => callTool(server, c));
  app.post(`${SESSION}/explain`, (c) => explain(server, c));
  app.post(`${SESSION}/fork`, (c) => fork(server, c));
  app.post(`${SESSION}/rewind`, (c) => rewind(server, c));
  app.post(`${SESSION}/undo`, (c) => undo(server, c));
  app.get(`${SESSION}/export`, (c) => exportLines(server, c));
  app.post(`${APP}/import`, (c) => importLines(server, c));
}

function forDeveloper(server: ServerContext, c: RouteContext): Addressed {
  requireDeveloper(c.get('caller'));
  return addressed(server, c);
}

/** The agents with their tools, and the paths from untrusted results to sensitive calls. */
function graph(server: ServerContext, c: RouteContext): Response {
  const { runner } = forDeveloper(server, c);
  const agent = agentGraph(runner.root);
  return c.json({ agent, untrustedPaths: pathsIn(agent) });
}

function pathsIn(agent: AgentGraph): object[] {
  const own = untrustedPaths(agent).map(({ source, target }) => ({
    from: { agent: source.agent, tool: source.tool.name },
    to: { agent: target.agent, tool: target.tool.name },
  }));
  return [...own, ...agent.subAgents.flatMap(pathsIn)];
}

async function listTools(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = forDeveloper(server, c);
  const tools = await runner.tools({ userId, agent: c.req.query('agent'), signal: c.req.raw.signal });
  return c.json(tools.map(toolJson));
}

function toolJson(tool: Tool) {
  const { name, description, traits } = tool;
  const { effect, untrusted, sensitive, longRunning, auth } = traits;
  const isLong = longRunning !== undefined && longRunning !== false;
  return {
    ...{ name, description, declaration: tool.declaration() },
    ...{ effect, untrusted, sensitive, longRunning: isLong, needsCredential: auth !== undefined },
  };
}

async function callTool(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = forDeveloper(server, c);
  await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const call = {
    tool: body.text('tool'),
    args: body.optionalObject('args'),
    agent: body.optionalText('agent'),
  };
  const begin = () => runner.call({ ...key, ...call, ...signatureOf(caller, userId) });
  return streamNewRun(server, c, { key, userId }, begin, { encode: frameText });
}

async function explain(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = forDeveloper(server, c);
  await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const message = (body.value('message') ?? '') as Message;
  return c.json(await runner.explain({ ...key, message, signal: c.req.raw.signal }));
}

async function fork(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = forDeveloper(server, c);
  await requireRoom(server, runner, key);
  const copy = await runner.fork({ ...key, at: (await bodyOf(server, c)).optionalText('at') });
  return c.json(sessionJson(await requireSession(runner, copy)), 201);
}

async function rewind(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = forDeveloper(server, c);
  const invocationId = (await bodyOf(server, c)).text('invocationId');
  const event = await runner.rewind({ ...key, invocationId });
  return c.json({ event });
}

/** Undoes what a run has done, and streams the run of the undo. */
async function undo(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = forDeveloper(server, c);
  await requireSession(runner, key);
  const body = await bodyOf(server, c);
  const undone = { invocationId: body.text('invocationId'), calls: idsIn(body.optionalList('calls')) };
  const begin = () => runner.undo({ ...key, ...undone, ...signatureOf(caller, userId) });
  return streamNewRun(server, c, { key, userId }, begin, { encode: frameText });
}

function idsIn(list: readonly unknown[] | undefined): readonly string[] | undefined {
  if (list === undefined || list.every((id) => typeof id === 'string')) return list;
  throw new RequestInvalidError('"calls" has something else than texts', 'Send ids of calls.', 'calls');
}

/** A line of JSON for the session, and one for each event. */
async function exportLines(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = forDeveloper(server, c);
  await requireSession(runner, key);
  const lines: string[] = [];
  for await (const line of exportSession(runner.sessions, key)) lines.push(`${line}\n`);
  return c.body(lines.join(''), 200, {
    'content-type': 'application/x-ndjson',
    'content-disposition': contentDisposition('attachment', `${key.sessionId}.jsonl`),
  });
}

async function importLines(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, caller, userId, key } = forDeveloper(server, c);
  await requireRoom(server, runner, key);
  const text = (await bodyOf(server, c)).text('lines');
  requireFewValues(text, server.limits.bodyValues);
  const lines = text.split('\n');
  const own = { ...key, sessionId: crypto.randomUUID() };
  refuseForeignState(lines[0] ?? '', caller);
  const { by } = signatureOf(caller, userId);
  const session = await importSession(runner.sessions, lines, own, { by });
  return c.json(sessionJson(session), 201);
}

function refuseForeignState(heading: string, caller: Caller): void {
  let state: unknown;
  try {
    ({ state } = JSON.parse(heading) as { state?: unknown });
  } catch {
    throw new RequestInvalidError(
      'the first line of "lines" is not JSON',
      'Send an exported session.',
      'lines',
    );
  }
  if (typeof state === 'object' && state !== null) clientState(state as Record<string, unknown>, caller);
}
