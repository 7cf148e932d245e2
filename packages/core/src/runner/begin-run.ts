import { withoutSecrets } from '../auth/guarded-credential.js';
import { AdornError } from '../errors/adorn.error.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { EventActions } from '../events/event-actions.js';
import { RequestNotPendingError } from '../events/pending-request.js';
import type { Session, SessionKey } from '../events/session.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { SessionService } from '../sessions/session.service.js';
import type { ReadAnswers } from './read-answers.js';

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

/** The user's words enter the log before anybody hears them; the credentials among them are kept elsewhere. */
export function takeMessage(
  context: InvocationContext,
  actions: Partial<EventActions> | undefined,
  { content, consumes, credentials }: ReadAnswers,
): Promise<unknown> {
  const event = context.event({ author: 'user', actions }, content);
  const appended = context.appendMessage(event, consumes.length === 0 ? undefined : { consumes });
  return credentials.length === 0 ? appended : appended.then(() => keepCredentials(context, credentials));
}

/**
 * Kept once the answer is in the log, which is what makes it count only once. The call has the credential by its
 * answer, so a store that fails costs no more than that it will be asked for again.
 */
async function keepCredentials(
  { services, appName, userId }: InvocationContext,
  credentials: ReadAnswers['credentials'],
): Promise<void> {
  for (const { key, credential } of credentials) {
    try {
      await services.credentials.save({ appName, userId }, key, credential);
    } catch (error) {
      const { name, message } = describeThrown(error);
      const said = withoutSecrets(`${name}: ${message}`, credential);
      services.logger.error('a credential could not be kept', { key, error: said });
    }
  }
}
