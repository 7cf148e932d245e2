import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError, RequestInvalidError } from '../errors.js';
import { addressed, requireSession, type ServerContext } from '../server-context.js';

const ARTIFACTS = '/apps/:app/users/:user/sessions/:session/artifacts';

/** The artifacts of a session. */
export function artifactRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(ARTIFACTS, async (c) => {
    const { artifacts, key } = await artifactsOf(server, c);
    return c.json(await artifacts.list(key));
  });
  app.get(`${ARTIFACTS}/:name`, (c) => loadArtifact(server, c));
  app.get(`${ARTIFACTS}/:name/versions`, async (c) => {
    const { artifacts, key, name } = await artifactsOf(server, c);
    return c.json(await artifacts.versions(key, name));
  });
  app.get(`${ARTIFACTS}/:name/versions/:version`, (c) => loadArtifact(server, c));
  app.delete(`${ARTIFACTS}/:name`, async (c) => {
    const { artifacts, key, name } = await artifactsOf(server, c);
    await artifacts.delete(key, name);
    return c.body(null, 204);
  });
}

async function loadArtifact(server: ServerContext, c: Context<ServerEnv>): Promise<Response> {
  const { artifacts, key, name } = await artifactsOf(server, c);
  const part = await artifacts.load(key, name, versionOf(c));
  if (part === undefined) throw new NotFoundError(`Artifact not found: ${name}`);
  return c.json(part);
}

/** The artifacts of the session in the path. @throws {NotFoundError} if the session does not exist */
export async function artifactsOf(server: ServerContext, c: Context<ServerEnv>) {
  const { runner, key } = addressed(server, c);
  await requireSession(runner, key);
  return { artifacts: runner.artifacts, key, name: c.req.param('name') ?? '' };
}

/** The version in the path or the query; undefined for the newest. */
export function versionOf({ req }: Context<ServerEnv>): number | undefined {
  const text = req.param('version') ?? req.query('version');
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RequestInvalidError('"version" is no number', 'Pass a number of at least 0.', 'version');
}
