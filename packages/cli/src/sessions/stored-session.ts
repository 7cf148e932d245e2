import type { Session } from '@adorn/core';
import type { SessionKey } from '@adorn/core';
import type { Runner } from 'adorn';

import { type Parameters, required } from '../command/parameter.js';
import { STORE_OPTIONS, USER } from '../command/shared-parameters.js';
import { UsageError } from '../usage.error.js';

/** The options that name one conversation of a store. */
export const SESSION_OPTIONS = {
  session: required('<id>', 'the id of the conversation'),
  user: USER,
  ...STORE_OPTIONS,
} satisfies Parameters;

/** The key of a conversation, as `runner.sessions` takes it. */
export function sessionKeyOf({ appName }: Runner<unknown>, userId: string, sessionId: string): SessionKey {
  return { appName, userId, sessionId };
}

/** The keys of the conversations of a user; undefined for those of all users. */
export async function sessionKeysOf(
  runner: Runner<unknown>,
  userId: string | undefined,
): Promise<SessionKey[]> {
  const { appName, sessions } = runner;
  const keys: SessionKey[] = [];
  if (userId !== undefined) {
    for (const { id } of await sessions.listSessions({ appName, userId }, { state: false }))
      keys.push(sessionKeyOf(runner, userId, id));
    return keys;
  }
  for await (const { userId: owner, sessionId } of sessions.allSessions(appName))
    keys.push(sessionKeyOf(runner, owner, sessionId));
  return keys;
}

/**
 * Loads a conversation.
 *
 * @throws {UsageError} if there is none: it says which there are
 */
export async function storedSession(
  runner: Runner<unknown>,
  userId: string,
  sessionId: string,
): Promise<Session> {
  const key = sessionKeyOf(runner, userId, sessionId);
  const session = await runner.sessions.getSession(key);
  if (session) return session;
  const { appName } = runner;
  const listed = await runner.sessions.listSessions({ appName, userId }, { limit: 5, state: false });
  const others = listed.map(({ id }) => id).join(', ');
  const known =
    others === '' ? `${userId} has none. Pass --user and --store` : `The latest of ${userId}: ${others}`;
  throw new UsageError(`There is no conversation ${sessionId} of ${userId} in ${appName}. ${known}.`);
}
