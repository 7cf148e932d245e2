import { AdornError } from '../errors/adorn.error.js';
import { RequestNotPendingError } from '../events/request-not-pending.error.js';
import type { Session, SessionKey } from '../events/session.js';
import type { SessionService } from '../sessions/session.service.js';

/**
 * The conversation of that address, begun where there is none.
 *
 * @param answered the request that the message answers: nothing can be open in a conversation that is not there
 * @throws {RequestNotPendingError} where it would have to be begun with an answer
 */
export async function openSession(
  sessions: SessionService,
  key: SessionKey,
  answered?: string,
): Promise<Session> {
  const session = await sessions.getSession(key);
  if (session === undefined && answered !== undefined) throw new RequestNotPendingError(answered);
  return session ?? openNew(sessions, key);
}

/** Two first messages may come at once: who is late takes the session that the other made. */
async function openNew(sessions: SessionService, key: SessionKey): Promise<Session> {
  try {
    return await sessions.createSession(key);
  } catch (error) {
    const made = isSessionExists(error) ? await sessions.getSession(key) : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

function isSessionExists(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'SESSION_EXISTS';
}
