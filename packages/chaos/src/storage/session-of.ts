import type { Session, SessionKey, SessionService } from '@adorn/core';

/** @throws where it is not there */
export async function sessionOf(sessions: SessionService, key: SessionKey): Promise<Session> {
  const session = await sessions.getSession(key);
  if (!session) throw new Error(`The session ${key.sessionId} is gone.`);
  return session;
}
