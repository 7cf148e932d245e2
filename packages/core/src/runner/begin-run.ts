import { withoutSecrets } from '../auth/auth-credential.js';
import { AdornError } from '../errors/adorn.error.js';
import { describeThrown } from '../errors/describe-thrown.js';
import { functionResponsesOf } from '../content/content-parts.js';
import type { EventActions } from '../events/event-actions.js';
import { RequestNotPendingError } from '../events/errors.js';
import type { Session, SessionKey } from '../events/session.js';
import type { Cancellation } from '../invocation/cancellation.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { SessionNotFoundError } from '../sessions/errors.js';
import type { SessionService } from '../sessions/session.service.js';
import { inputChecks, type ReadAnswers, readAnswers } from './read-answers.js';
import type { RunRequest } from './run-request.js';
import type { SessionFence } from './session-fence.js';

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

/** Begins the conversation that a request names, unless it continues one. */
export function newSession(sessions: SessionService, { kind, message, key }: RunRequest): Promise<Session> {
  if (kind === 'resume') throw new SessionNotFoundError(key.sessionId);
  return beginSession(sessions, key, functionResponsesOf(message)[0]?.id);
}

/** A session that no other run is active in, and what the message answers in it. */
export interface EnteredSession {
  readonly session: Session;
  readonly read: ReadAnswers;
}

/** Undefined if the run was cancelled while another process had the session. Without a promise if there is nothing to wait for. */
export function enterSession(
  fence: SessionFence,
  request: RunRequest,
  session: Session,
  cancellation: Cancellation,
): Awaitable<EnteredSession | undefined> {
  const { message, answerer } = request;
  const isAnswer = functionResponsesOf(message).length > 0;
  return isAnswer || fence.unfinished(session) !== undefined
    ? enterFenced(fence, request, session, cancellation)
    : { session, read: readAnswers(session, message, answerer) };
}

async function enterFenced(
  fence: SessionFence,
  { message, answerer, config }: RunRequest,
  session: Session,
  cancellation: Cancellation,
): Promise<EnteredSession | undefined> {
  const inputs = await inputChecks(session, message);
  const read = readAnswers(session, message, answerer, inputs);
  if (fence.unfinished(session) === undefined) return { session, read };
  const entered = await fence.enter(session, config, cancellation);
  return entered && { session: entered, read: readAnswers(entered, message, answerer, inputs) };
}

/** The user's words enter the log before anybody hears them; the credentials among them are kept elsewhere. */
export function takeMessage(
  context: InvocationContext,
  actions: Partial<EventActions> | undefined,
  { content, consumes, credentials }: ReadAnswers,
): Promise<unknown> {
  const event = context.event({ author: 'user', actions }, content);
  const appended = context.invocation.appendUnchanged(
    event,
    consumes.length === 0 ? undefined : { consumes },
  );
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
