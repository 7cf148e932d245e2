import { AdornError, type Runner } from '@adorn/core';

import { isCommand, runCommand } from './chat-commands.js';
import type { ChatInput } from './chat-input.js';
import type { ChatOptions } from './chat-options.js';
import { settleConfirmations } from './confirmations.js';
import { followTurn } from './follow-turn.js';
import { openInput } from './open-input.js';
import { recap } from './recap.js';
import { Screen } from './screen.js';
import { ChatSession } from './chat-session.js';

/** How a conversation went. */
export interface ChatOutcome {
  readonly sessionId: string;
  /** Faults that events told of; those that the user caused by Ctrl-C are none. */
  readonly faults: number;
}

/**
 * Holds a conversation with an agent: in a terminal, or from a script, line by line. Text comes as it is streamed;
 * calls, results and questions stand on lines of their own.
 *
 * @throws {ScriptNotFoundError}
 * @throws whatever a turn throws while a script is played; in a terminal it is told and the conversation goes on
 */
export async function chat(runner: Runner<unknown>, options: ChatOptions = {}): Promise<ChatOutcome> {
  const screen = new Screen(options.output ?? process.stdout);
  const input = await openInput(options, screen);
  const session = new ChatSession(runner, input, screen, options.userId ?? 'user', options.sessionId);
  try {
    if (input.isInteractive)
      screen.note('Ask away. /help lists the commands, Ctrl-C stops a turn, /quit leaves.');
    if (options.sessionId !== undefined) await attempt(session, () => takeUp(session));
    await converse(session, input);
  } finally {
    input.close();
    screen.close();
  }
  return { sessionId: session.sessionId, faults: session.faults };
}

/** What was asked before and not answered is asked again. */
async function takeUp(session: ChatSession): Promise<void> {
  await recap(session);
  await settleConfirmations(session);
}

async function converse(session: ChatSession, input: ChatInput): Promise<void> {
  for (let line = await input.readMessage(); line !== undefined; line = await input.readMessage()) {
    const message = line.trim();
    if (isCommand(message)) {
      if ((await runCommand(message, session)) === 'quit') return;
    } else if (message !== '') {
      await attempt(session, () => playTurn(session, message));
    }
    if (isOver(session)) return;
  }
}

/** A person can go on after a fault; the rest of a script was written for what did not happen. */
function isOver({ input, faults, screen }: ChatSession): boolean {
  if (input.isInteractive || faults === 0) return !screen.isRead;
  screen.note('The script stops here.');
  return true;
}

async function playTurn(session: ChatSession, message: string): Promise<void> {
  const { runner, userId, sessionId } = session;
  const stop = new AbortController();
  const events = runner.run({
    userId,
    sessionId,
    message,
    config: { streaming: 'sse' },
    signal: stop.signal,
  });
  const cancel = (invocationId = ''): void => {
    if (!runner.cancel(invocationId)) stop.abort();
  };
  await followTurn(session, events, { cancel });
  await settleConfirmations(session);
}

/** What is thrown is told to a person, and ends a script. */
async function attempt(session: ChatSession, turn: () => Promise<void>): Promise<void> {
  try {
    await turn();
  } catch (error) {
    if (!session.input.isInteractive) throw error;
    const text = error instanceof Error ? error.message : String(error);
    session.screen.lines([
      { tone: 'failure', text: `✗ ${text}${AdornError.is(error) ? ` (${error.code})` : ''}` },
    ]);
  }
}
