import type { Content, Run, Runner, Session, SessionKey } from '@adorn/core';
import { effectiveEvents } from '@adorn/core/backend';

import { type Caller, signatureOf, userOf } from '../access/caller.js';
import { clientState, storeSharedState } from '../access/client-state.js';
import { NotFoundError, RequestInvalidError } from '../errors.js';
import type { RequestBody } from '../http/request-body.js';
import type { ServerContext } from '../server-context.js';

/** A run that a client of adk-web asks for. */
export interface AdkRun {
  readonly userId: string;
  readonly key: SessionKey;
  /** Undefined if there is nothing to run: no message, and no invocation to resume. */
  readonly begin: ((signal?: AbortSignal) => Run<unknown>) | undefined;
}

/**
 * Reads an `AgentRunRequest`, in camelCase or snake_case. The application may be left out if there is only one. Without
 * a message, `invocationId` resumes that run. With answers, `invocationId` and `functionCallEventId` say which request
 * they answer.
 *
 * @throws {RequestInvalidError | NotFoundError}
 */
export async function readRunRequest(
  server: ServerContext,
  caller: Caller,
  body: RequestBody,
): Promise<AdkRun> {
  const runner = server.apps.named(body.optionalText('appName'));
  if (runner === undefined)
    throw new RequestInvalidError(
      '"appName" is absent',
      `Send one of: ${server.apps.names.join(', ')}.`,
      'appName',
    );
  const userId = userOf(caller, body.optionalText('userId'));
  const key = { appName: runner.appName, userId, sessionId: body.text('sessionId') };
  const message = body.optionalObject('newMessage') as Content | undefined;
  const stateDelta = body.optionalObject('stateDelta');
  const config = { streaming: body.optionalBoolean('streaming') === true ? 'sse' : 'none' } as const;
  const invocationId = body.optionalText('invocationId');
  const callEventId = body.optionalText('functionCallEventId');
  if (caller.isDeveloper) server.recent.note(key);
  const session = await loadFor(runner, key, message);
  if (message === undefined) {
    const resume = (signal?: AbortSignal) => runner.resume({ ...key, invocationId, config, signal });
    return { userId, key, begin: invocationId === undefined ? undefined : resume };
  }
  requireAnswered(session, message, { invocationId, callEventId });
  const own = stateDelta && (await storeSharedState(runner, key, clientState(stateDelta, caller)));
  const input = { ...key, message, stateDelta: own, config };
  const signed = signatureOf(caller, userId);
  return { userId, key, begin: (signal) => runner.run({ ...input, ...signed, signal }) };
}

/** The events are needed for answers only. */
async function loadFor({ sessions }: Runner<unknown>, key: SessionKey, message: Content | undefined) {
  const hasAnswers = responseIds(message).length > 0;
  const session = await sessions.getSession(key, hasAnswers ? {} : { numRecentEvents: 0 });
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  return session;
}

/** Refuses answers to another event or invocation than the client says: models reuse the ids of calls. */
function requireAnswered(
  session: Session,
  message: Content,
  { invocationId, callEventId }: { invocationId: string | undefined; callEventId: string | undefined },
): void {
  for (const id of responseIds(message)) {
    const event = effectiveEvents(session.events).findLast(({ functionCalls }) =>
      functionCalls.some((call) => call.id === id),
    );
    if (callEventId !== undefined && event?.id !== callEventId) refuse('functionCallEventId', id);
    if (invocationId !== undefined && event?.invocationId !== invocationId) refuse('invocationId', id);
  }
}

function refuse(field: string, id: string): never {
  const fault = `"${field}" is not that of the call ${JSON.stringify(id)}`;
  throw new RequestInvalidError(fault, 'Load the session again.', field);
}

function responseIds(message: Content | undefined): string[] {
  const parts: unknown = message?.parts;
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: { functionResponse?: { id?: unknown } } | null) => {
    const id = part?.functionResponse?.id;
    return typeof id === 'string' ? [id] : [];
  });
}
