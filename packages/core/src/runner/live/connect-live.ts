import type { Event } from '../../events/event.js';
import type { Part } from '../../events/genai-types.js';
import { consumedAs } from '../../events/mail.js';
import type { Invocation } from '../../run/invocation.js';
import { storeLiveAnswers } from '../answers/live-answers.js';
import { checkedRunInput } from '../begin/run-input.js';
import type { RunProgress } from '../run-progress.js';
import { isTaken } from '../mailbox/run-mailbox.js';
import type { LiveSession } from './live.session.js';

/** Connects a live session to the plugins, and to the answers of persons. */
export function connectLive(run: RunProgress, live: LiveSession, invocation: Invocation): void {
  const { handle, request, setting } = run;
  const { onUserMessage } = setting.hooks;
  setting.lives.add(request.key, live);
  live.key = request.key;
  live.speaker = request.answerer.answering.principal;
  live.line.recording?.begin((name, part) => saveSpeech(run, name, part));
  if (onUserMessage) live.line.onUserMessage = (message) => onUserMessage(message, invocation.root);
  live.line.takeMail = (mail, event) => takeMail(run, invocation, { mail, event });
  live.answering = (input) => {
    const answering = checkedRunInput(setting, handle.invocationId, input);
    return storeLiveAnswers(invocation, answering, live.line.spoken);
  };
}

async function takeMail(
  { request, setting }: RunProgress,
  { log }: Invocation,
  { mail, event }: { readonly mail: string; readonly event: Event },
): Promise<boolean> {
  let isFirst = true;
  try {
    await log.append(event, { consumes: [consumedAs({ id: mail })] });
  } catch (error) {
    if (!isTaken(error, mail)) throw error;
    isFirst = false;
  }
  await setting.mail.remove(request.key, mail);
  return isFirst;
}

async function saveSpeech(
  { handle, request, setting }: RunProgress,
  name: string,
  part: Part,
): Promise<void> {
  const { artifacts, logger } = setting.services;
  const { invocationId } = handle;
  try {
    await artifacts.save(request.key, `${invocationId}-${name}`, part);
  } catch (error) {
    logger.error('speech of a live session could not be saved', { invocationId, name, error });
  }
}
