import type { Content } from '@adorn/core';
import { kindOf } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError, RequestInvalidError } from '../errors.js';
import { addressed, bodyOf, type ServerContext } from '../server-context.js';
import { countOf } from './count-of.js';

type RouteContext = Context<ServerEnv>;

const MEMORIES = '/adorn/apps/:app/memories';

/** What is remembered of the user who asks: to be listed, corrected and deleted by this user. */
export function memoryOfUserRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(MEMORIES, (c) => listMemories(server, c));
  app.patch(`${MEMORIES}/:memory`, (c) => correctMemory(server, c));
  app.delete(`${MEMORIES}/:memory`, (c) => deleteMemory(server, c));
}

async function listMemories(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = addressed(server, c);
  const page = { limit: countOf(c, 'limit') ?? 100, offset: countOf(c, 'offset') ?? 0 };
  return c.json(await runner.memory.listMemories({ appName: runner.appName, userId }, page));
}

async function correctMemory(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = addressed(server, c);
  const content = contentOf((await bodyOf(server, c)).value('content'));
  const id = c.req.param('memory') ?? '';
  const scope = { appName: runner.appName, userId };
  if (!(await runner.memory.correctMemory(scope, id, content))) throw noMemory(id);
  return c.body(null, 204);
}

async function deleteMemory(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = addressed(server, c);
  const id = c.req.param('memory') ?? '';
  if (!(await runner.memory.deleteMemory({ appName: runner.appName, userId }, id))) throw noMemory(id);
  return c.body(null, 204);
}

/** A text, or a content, which the service checks. */
function contentOf(value: unknown): Content {
  if (typeof value === 'string' && value.trim() !== '') return { role: 'user', parts: [{ text: value }] };
  if (typeof value === 'object' && value !== null) return value;
  const fault = `"content" is ${kindOf(value)}`;
  throw new RequestInvalidError(fault, 'Send a text or a content with parts.', 'content');
}

function noMemory(id: string): NotFoundError {
  return new NotFoundError(`Memory not found: ${id}`);
}
