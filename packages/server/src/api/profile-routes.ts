import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError } from '../errors.js';
import { addressed, bodyOf, type ServerContext } from '../server-context.js';
import type { ServedProfile } from '../server-options.js';

type RouteContext = Context<ServerEnv>;

const PROFILES = '/adorn/apps/:app/profiles';

/** The profiles that agents keep of the user who asks: to be shown, corrected and deleted by this user. */
export function profileRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(PROFILES, (c) => listProfiles(server, c));
  app.patch(`${PROFILES}/:profile`, (c) => correctProfile(server, c));
  app.delete(`${PROFILES}/:profile`, (c) => deleteProfile(server, c));
}

async function listProfiles(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = addressed(server, c);
  const listed = server.profiles.map(async (profile) => ({
    name: profile.profileName,
    fields: await profile.of(runner, userId).read(),
  }));
  return c.json(await Promise.all(listed));
}

async function correctProfile(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = addressed(server, c);
  const profile = profileNamed(server, c);
  const change = (await bodyOf(server, c)).object('fields');
  const fields = await profile.of(runner, userId).correct(change);
  return c.json({ name: profile.profileName, fields });
}

async function deleteProfile(server: ServerContext, c: RouteContext): Promise<Response> {
  const { runner, userId } = addressed(server, c);
  await profileNamed(server, c).of(runner, userId).delete();
  return c.body(null, 204);
}

/** @throws {NotFoundError} */
function profileNamed({ profiles }: ServerContext, c: RouteContext): ServedProfile {
  const name = c.req.param('profile');
  const profile = profiles.find(({ profileName }) => profileName === name);
  if (!profile) throw new NotFoundError(`Profile not found: ${name ?? ''}`);
  return profile;
}
