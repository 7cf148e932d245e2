import type { Readable } from 'node:stream';

import { AdornError, type Event, type Runner, type Session } from '@adorn/core';
import { effectiveEvents } from '@adorn/core/backend';

import type { Line } from '../terminal/palette.js';
import { isCommand, runCommand } from './chat-commands.js';
import type { ChatInput } from './chat-input.js';
import { ChatSession } from './chat-session.js';
import { settleConfirmations } from './confirmations.js';
import { followTurn } from './follow-turn.js';
import { openInput } from './open-input.js';
import { readTimedMessage } from './steering.js';
import { renderEvent } from './render-event.js';
import { type ChatOutput, Screen } from './screen.js';

export interface ChatOptions {
  /** Default: `user`. */
  readonly userId?: string | undefined;
  /** The conversation to continue. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** The path of a script to play instead of asking at the terminal. */
  readonly script?: string | undefined;
  /** The path of a script to play if there is neither a script nor a terminal. Default: the lines of the input. */
  readonly demo?: string;
  /** The input stream. Default: `process.stdin`. */
  readonly input?: Readable & { readonly isTTY?: boolean };
  /** The output stream. Default: `process.stdout`. */
  readonly output?: ChatOutput;
  /** Called with each stored event of a turn. */
  readonly onEvent?: ((event: Event) => void) | undefined;
}

/** The result of a conversation. */
export interface ChatOutcome {
  readonly sessionId: string;
  /** The number of events with an error, without those that Ctrl-C caused. */
  readonly faults: number;
}

/**
 * Runs a conversation with an agent in a terminal or from a script. Text is streamed; calls, results and questions
 * have lines of their own.
 *
 * @throws {ScriptNotFoundError}
 * @throws the error of a turn of a script; in a terminal the error is shown and the conversation continues
 */
export async function chat(runner: Runner<unknown>, options: ChatOptions = {}): Promise<ChatOutcome> {
  const { userId = 'user', sessionId, onEvent } = options;
  const screen = new Screen(options.output ?? process.stdout);
  const input = await openInput(options, screen);
  const session = new ChatSession(runner, input, screen, { userId, sessionId, onEvent });
  try {
    if (input.isInteractive)
      screen.note('Ask away. /help lists the commands, Ctrl-C stops a turn, /quit leaves.');
    if (sessionId !== undefined) await attempt(session, () => takeUp(session));
    await converse(session, input);
  } finally {
    input.close();
    screen.close();
  }
  return { sessionId: session.sessionId, faults: session.faults };
}

/** Shows the end of the conversation, and asks open questions again. */
async function takeUp(session: ChatSession): Promise<void> {
  await recap(session);
  await settleConfirmations(session);
}

async function converse(session: ChatSession, input: ChatInput): Promise<void> {
  for (let line = await input.readMessage(); line !== undefined; line = await input.readMessage()) {
    const message = readTimedMessage(line)?.text ?? line.trim();
    if (isCommand(message)) {
      if ((await runCommand(message, session)) === 'quit') return;
    } else if (message !== '') {
      await attempt(session, () => playTurn(session, message));
      await followSent(session);
    }
    if (isOver(session)) return;
  }
}

/** A person can continue after a fault; a script ends. */
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

/** Shows the runs of the messages that were sent during a turn. Such a run is empty if another one has read its message. */
async function followSent(session: ChatSession): Promise<void> {
  for (let sent = session.sent.shift(); sent; sent = session.sent.shift()) {
    const { run } = (await sent) ?? {};
    if (!run) continue;
    const cancel = (): void => {
      run.cancel();
    };
    await attempt(session, () => followTurn(session, run, { cancel }));
    await attempt(session, () => settleConfirmations(session));
  }
}

/** Shows an error to a person; rethrows it for a script. */
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

/** How many events of a continued conversation are shown again. */
const SHOWN = 8;

/** Shows the last events of a continued conversation, without rewound ones. */
async function recap(chat: ChatSession): Promise<void> {
  const { screen } = chat;
  const session = await load(chat, { numRecentEvents: SHOWN });
  if (!session || session.events.length === 0) return;
  screen.note(`Continuing the conversation after ${String(session.nextSeq)} events; /new starts another.`);
  for (const event of await latestStanding(chat, session)) screen.lines(linesOf(event, screen));
}

/** If a rewind is among the events, it may undo earlier ones: then the whole conversation is loaded. */
async function latestStanding(chat: ChatSession, { events }: Session): Promise<readonly Event[]> {
  if (!events.some(isRewind)) return events;
  const whole = await load(chat);
  return effectiveEvents(whole?.events ?? []).slice(-SHOWN);
}

function isRewind({ actions }: Event): boolean {
  return actions.rewindBeforeInvocationId !== undefined;
}

function load(
  { runner, userId, sessionId }: ChatSession,
  options: { readonly numRecentEvents?: number } = {},
): Promise<Session | undefined> {
  return runner.sessions.getSession({ appName: runner.appName, userId, sessionId }, options);
}

function linesOf(event: Event, { width }: Screen): Line[] {
  const isMessage = event.author === 'user' && event.text !== '';
  return isMessage ? [{ tone: 'note', text: `› ${event.text}` }] : renderEvent(event, { width });
}
