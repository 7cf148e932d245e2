import type { Runner, Session, SessionKey } from '@adorn/core';

import type { Caller } from '../access/caller.js';
import { clientState } from '../access/client-state.js';
import { LimitReachedError } from '../errors.js';
import type { ServerContext } from '../server-context.js';

/**
 * Creates a session for a client, with the state that it may write.
 *
 * @throws {LimitReachedError} if the user has too many
 */
export async function openSession(
  server: Pick<ServerContext, 'limits'>,
  runner: Runner<unknown>,
  {
    key,
    state,
    caller,
  }: {
    readonly key: SessionKey;
    readonly state: Record<string, unknown> | undefined;
    readonly caller: Caller;
  },
): Promise<Session> {
  await requireRoom(server, runner, key);
  return runner.sessions.createSession(key, state && clientState(state, caller));
}

/** @throws {LimitReachedError} if the user has too many sessions */
export async function requireRoom(
  { limits }: Pick<ServerContext, 'limits'>,
  { sessions }: Runner<unknown>,
  { appName, userId }: SessionKey,
): Promise<void> {
  const page = { limit: 1, offset: limits.sessions - 1, state: false };
  const [last] = await sessions.listSessions({ appName, userId }, page);
  if (last === undefined) return;
  const fault = `the user has ${String(limits.sessions)} sessions`;
  throw new LimitReachedError(fault, 'Delete some, or raise limits.sessions of the server.');
}
