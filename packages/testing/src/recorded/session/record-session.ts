import { renameSync, rmSync } from 'node:fs';

import type { Content, Event, ModelResponse, Runner, SessionKey } from '@adorn/core';
import { canonicalJson, isRequestName, SessionNotFoundError } from '@adorn/core/backend';

import { Cassette } from '../cassette.js';
import { SessionNotRecordableError } from '../errors.js';
import { recordedRequest } from '../recorded-request.js';
import {
  cassettePath,
  checkRecordingOptions,
  cleaningOf,
  type RecordingOptions,
  redacted,
} from '../recording-options.js';
import { conversationOf, isAnswer, type StateValues } from './conversation.js';
import { holdAgain, type Holding } from './hold-again.js';

/** The options of `recordSession`. */
export type SessionRecordingOptions = Pick<RecordingOptions, 'secrets' | 'ignore'>;

/**
 * Makes a cassette of a stored conversation, so that what happened once becomes a test: `recorded(model, file)` replays its
 * answers, and `replayCassette(runner, file)` the whole conversation.
 *
 * The conversation is held again by the agents as they are now, in stores of its own: its messages and answers are sent, and
 * models and tools say what they said then. No model is asked and no tool runs. A cassette that is there is replaced.
 *
 * @param file as for `recorded`
 * @returns how many exchanges with models were recorded
 * @throws {SessionNotFoundError}
 * @throws {SessionNotRecordableError} if the conversation takes another course, because the agents have changed, or because what
 * is not in the log matters: what callbacks did, or agents that asked side by side
 *
 * @example
 * await recordSession(runner, { userId: 'ada', sessionId: 's1' }, 'refund.cassette.json');
 */
export async function recordSession(
  runner: Runner<unknown>,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  file: string | URL,
  options: SessionRecordingOptions = {},
): Promise<number> {
  checkRecordingOptions('recordSession', options);
  const path = cassettePath('recordSession', file);
  const key = { appName: runner.appName, userId, sessionId };
  const session = await runner.sessions.getSession(key);
  if (!session) throw new SessionNotFoundError(sessionId);
  const conversation = conversationOf(session, await stateAtCreation(runner, key));
  const draft = `${path}.draft`;
  try {
    const cassette = Cassette.empty(draft, redacted(conversation, cleaningOf(options)));
    const askModel = keepIn(cassette, session.events, options);
    const again = await holdAgain(runner, conversation, { askModel });
    const [before, after] = [courseOf(session.events), courseOf(again.events)];
    const place = before.findIndex((step, index) => step !== after[index]);
    if (place >= 0 || cassette.size === 0)
      throw new SessionNotRecordableError(sessionId, before[place], after[place]);
    renameSync(draft, path);
    return cassette.size;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The session's own state with which it was created; empty if the store does not keep that. */
async function stateAtCreation({ sessions }: Runner<unknown>, key: SessionKey): Promise<StateValues> {
  const updates = await sessions.stateUpdates(key);
  return updates.find(({ seq }) => seq === 0)?.stateDelta ?? {};
}

/** Answers with the answers of a log, and keeps them with the requests. */
function keepIn(
  cassette: Cassette,
  events: readonly Event[],
  options: SessionRecordingOptions,
): Holding['askModel'] {
  const cleaning = cleaningOf(options);
  const answers = events.filter(isAnswer).map(responseOf);
  return async function* (model, request) {
    const response = redacted(answers.shift() ?? NO_ANSWER, cleaning);
    const asked = recordedRequest(model.name, request, cleaning.clean);
    cassette.add({ request: asked, answer: [{ after: 0, response }] });
    yield response;
  };
}

const NO_ANSWER: ModelResponse = {
  errorCode: 'NOT_RECORDED',
  errorMessage: 'The stored conversation has no further answer.',
};

/** The answer of a model as it was, from the event that was made of it. */
function responseOf(event: Event): ModelResponse {
  const { content, finishReason, errorCode, errorMessage, usageMetadata, groundingMetadata, modelVersion } =
    event;
  return JSON.parse(
    JSON.stringify({
      content: content && withoutIds(content),
      finishReason,
      errorCode,
      errorMessage,
      usageMetadata,
      groundingMetadata,
      modelVersion,
    }),
  ) as ModelResponse;
}

function withoutIds(content: Content): Content {
  const parts = (content.parts ?? []).map((part) => {
    if (part.functionCall?.id?.startsWith('adk-') !== true) return part;
    const { id: _given, ...functionCall } = part.functionCall;
    return { ...part, functionCall };
  });
  return { ...content, parts };
}

/** What was said, called and returned, in its order, without the answers of persons, which have times. */
function courseOf(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ author, text, functionCalls, functionResponses }) => [
    ...(text === '' ? [] : [`${author}: ${text}`]),
    ...functionCalls
      .filter(({ name }) => !isRequestName(name))
      .map(({ name, args }) => `${author} calls ${String(name)}(${canonicalJson(args ?? {})})`),
    ...functionResponses
      .filter(({ name }) => !isRequestName(name))
      .map(({ name, response }) => `${String(name)} returns ${canonicalJson(response ?? {})}`),
  ]);
}
