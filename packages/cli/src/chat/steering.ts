import { AdornError } from '@adorn/core';
import type { ReadTime, SentMessage } from '@adorn/core/backend';

import type { ChatSession } from './chat-session.js';

/** A message for the run that goes on, and when it is read. */
export interface TimedMessage {
  readonly text: string;
  readonly when: ReadTime;
}

/** The commands that say when a message is read. Without one it has a run of its own, after the one that goes on. */
const TIMES: Readonly<Record<string, ReadTime>> = { '/now': 'now', '/next': 'next', '/instead': 'instead' };

/** Reads a line that begins with `/now`, `/next` or `/instead`. Undefined for any other line. */
export function readTimedMessage(line: string): TimedMessage | undefined {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const when = Object.hasOwn(TIMES, name) ? TIMES[name] : undefined;
  const text = line.trim().slice(name.length).trim();
  return when === undefined || words.length === 0 ? undefined : { text, when };
}

/**
 * Sends a line that is typed while a run goes on.
 *
 * @returns false for what is no message: a command, and an answer to a question that was not shown yet. It is read after the turn
 */
export function steer(chat: ChatSession, line: string): boolean {
  const text = line.trim();
  if (text === '') return true;
  const steering = readTimedMessage(text);
  if (!steering && (text.startsWith('/') || /^(?:y|yes|n|no)$/i.test(text))) return false;
  chat.sent.push(send(chat, steering ?? { text, when: 'next' }));
  return true;
}

/** Undefined if the message was not sent, which the person is told. */
async function send(
  chat: ChatSession,
  { text, when }: TimedMessage,
): Promise<SentMessage<unknown> | undefined> {
  const { runner, userId, sessionId, screen } = chat;
  try {
    return await runner.send({ userId, sessionId }, text, { when, streaming: 'sse' });
  } catch (error) {
    const reason = AdornError.is(error) ? `${error.message} (${error.code})` : String(error);
    screen.lines([{ tone: 'failure', text: `✗ "${text}" was not sent: ${reason}` }]);
    return undefined;
  }
}
