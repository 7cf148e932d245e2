import { AdornError } from '../errors/adorn.error.js';
import { RequestNotPendingError } from '../events/pending-request.js';
import type { Session, SessionKey } from '../events/session.js';
import type { SessionService } from '../sessions/session.service.js';

/**
 * Begins the conversation of that address. Two first messages may come at once: who is late takes the session that the
 * other made.
 *
 * @param answered the request that the message answers: nothing can be open in a conversation that is not there
 * @throws {RequestNotPendingError} where it would have to be begun with an answer
 */
export async function beginSession(
  sessions: SessionService,
  key: SessionKey,
  answered?: string,
): Promise<Session> {
  if (answered !== undefined) throw new RequestNotPendingError(answered);
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
