import { renameSync, rmSync } from 'node:fs';

import type { Content, Event, ModelResponse, Runner, Session } from '@adorn/core';
import {
  agentsIn,
  canonicalJson,
  isRequestName,
  RequestNotPendingError,
  SessionNotFoundError,
  type StandIns,
} from '@adorn/core/backend';

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
import { LoggedConversation } from './logged-conversation.js';

/** The options of `recordSession`. */
export type SessionRecordingOptions = Pick<RecordingOptions, 'secrets' | 'ignore'>;

/**
 * Makes a cassette of a stored conversation, so that what happened once becomes a test: `recorded(model, file)` replays it.
 *
 * The conversation is held again by the agents as they are now, in stores of its own: its messages and answers are sent, and
 * models and tools say what they said then. No model is asked and no tool runs. A cassette that is there is replaced.
 *
 * @param file as for `recorded`
 * @returns how many exchanges with models were recorded
 * @throws {SessionNotFoundError}
 * @throws {SessionNotRecordableError} if the conversation takes another course, because the agents have changed, or because what
 * is not in the log matters: what callbacks did, state that tools wrote, agents that asked side by side, an answer of another person
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
  const draft = `${path}.draft`;
  try {
    const cassette = Cassette.empty(draft);
    const again = await holdAgain(runner, session, keepIn(cassette, options));
    const [before, after] = [courseOf(session.events), courseOf(again)];
    const place = before.findIndex((step, index) => step !== after[index]);
    if (place >= 0 || cassette.size === 0)
      throw new SessionNotRecordableError(sessionId, before[place], after[place]);
    renameSync(draft, path);
    return cassette.size;
  } finally {
    rmSync(draft, { force: true });
  }
}

type AskModel = NonNullable<StandIns['askModel']>;

function keepIn(cassette: Cassette, options: SessionRecordingOptions) {
  const cleaning = cleaningOf(options);
  return (conversation: LoggedConversation): AskModel =>
    async function* (model, request) {
      const response: ModelResponse = redacted(conversation.nextAnswer(), cleaning);
      const asked = recordedRequest(model.name, request, cleaning.clean);
      cassette.add({ request: asked, answer: [{ after: 0, response }] });
      yield response;
    };
}

/** Sends what the user has said and answered. @returns the events of the new conversation */
async function holdAgain(
  runner: Runner<unknown>,
  { events, userId, id: sessionId }: Session,
  askModel: (conversation: LoggedConversation) => AskModel,
): Promise<readonly Event[]> {
  const agents = [...agentsIn(runner.root)].map(({ name }) => name);
  const conversation = new LoggedConversation(events, agents);
  const runTool: StandIns['runTool'] = async (call, run) => conversation.resultOf(call, run);
  const standIns = { askModel: askModel(conversation), runTool };
  await using replayer = runner.isolated({ standIns });
  for (const content of conversation.messages) {
    const open = await replayer.pending({ userId, sessionId }).catch(() => []);
    const message: Content = conversation.addressed(content, open);
    try {
      await replayer.run({ userId, sessionId, message });
    } catch (error) {
      // An answer to what was not asked this time: the courses have parted.
      if (!(error instanceof RequestNotPendingError)) throw error;
      break;
    }
  }
  const again = await replayer.sessions.getSession({ appName: runner.appName, userId, sessionId });
  return again?.events ?? [];
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
