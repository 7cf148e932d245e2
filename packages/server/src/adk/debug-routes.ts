import type { Event, SessionKey } from '@adorn/core';
import { type AgentGraph, agentGraph } from '@adorn/core/compiler';
import type { Context, Hono } from 'hono';

import { requireDeveloper } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError } from '../errors.js';
import { addressed, type ServerContext } from '../server-context.js';
import { graphSource } from './graph-source.js';
import { traceOfLog } from './trace-of-log.js';

type RouteContext = Context<ServerEnv>;

const EVENT = '/apps/:app/users/:user/sessions/:session/events/:event';

/** The inside of an application, for its developers: graphs and traces. */
export function debugRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.use('/dev/*', developersOnly);
  app.use('/debug/*', developersOnly);
  app.get('/dev/apps/:app/build_graph', (c) => {
    const { name, agent } = graphOf(server, c);
    return c.json({ name, root_agent: agentNode(agent) });
  });
  app.get('/dev/apps/:app/build_graph_image', (c) => {
    const { agent } = graphOf(server, c);
    const dotSrc = graphSource(agent, { isDark: c.req.query('dark_mode') === 'true' });
    return c.json({ '': { dotSrc }, dotSrc });
  });
  app.get(`/dev${EVENT}/graph`, (c) => eventGraph(server, c));
  app.get(`${EVENT}/graph`, developersOnly, (c) => eventGraph(server, c));
  app.get('/dev/apps/:app/debug/trace/session/:session', (c) => sessionTrace(server, c));
  app.get('/debug/trace/session/:session', (c) => sessionTrace(server, c));
  app.get('/dev/apps/:app/debug/trace/:event', (c) => eventTrace(server, c));
  app.get('/debug/trace/:event', (c) => eventTrace(server, c));
}

async function developersOnly(c: RouteContext, next: () => Promise<void>): Promise<void> {
  requireDeveloper(c.get('caller'));
  await next();
}

function graphOf(
  server: ServerContext,
  c: RouteContext,
): { readonly name: string; readonly agent: AgentGraph } {
  const { runner } = addressed(server, c);
  return { name: runner.appName, agent: agentGraph(runner.root) };
}

function agentNode({ name, model, tools, subAgents }: AgentGraph): object {
  const type = model === undefined ? 'workflow' : 'agent';
  return {
    ...{ name, type, model, rerun_on_resume: true },
    tools: tools.map((tool) => ({ name: tool.name, type: 'tool' })),
    sub_agents: subAgents.map(agentNode),
  };
}

async function eventGraph(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, key } = addressed(server, c);
  const session = await runner.sessions.getSession(key);
  const event = session?.events.find(({ id }) => id === c.req.param('event'));
  if (event === undefined) throw new NotFoundError(`Event not found: ${c.req.param('event') ?? ''}`);
  const path = (event.nodeInfo?.path ?? event.author).replace(/@\d+/g, '');
  const called = [...event.functionCalls, ...event.functionResponses].map(
    ({ name = '' }) => `${path}#${name}`,
  );
  const isDark = c.req.query('dark_mode') === 'true';
  return c.json({ dotSrc: graphSource(agentGraph(runner.root), { isDark, highlighted: [path, ...called] }) });
}

async function sessionTrace(server: ServerContext, c: RouteContext): Promise<Response> {
  const sessionId = c.req.param('session') ?? '';
  for (const key of server.recent.list(c.get('caller'), sessionId))
    return c.json(traceOfLog(await logOf(server, key), sessionId));
  return c.json([]);
}

/** The attributes of the span of an event. */
async function eventTrace(server: ServerContext, c: RouteContext): Promise<Response> {
  const eventId = c.req.param('event') ?? '';
  for (const key of server.recent.list(c.get('caller'))) {
    const span = traceOfLog(await logOf(server, key), key.sessionId).find(
      ({ attributes }) => attributes['gcp.vertex.agent.event_id'] === eventId,
    );
    if (span !== undefined)
      return c.json({ ...span.attributes, trace_id: span.trace_id, span_id: span.span_id });
  }
  throw new NotFoundError(`Trace not found: ${eventId}`);
}

async function logOf({ apps }: ServerContext, key: SessionKey): Promise<readonly Event[]> {
  const session = await apps.get(key.appName).sessions.getSession(key);
  return session?.events ?? [];
}
