import { AdornError } from '@adorn/core';

import { inlineJson } from './inline-json.js';
import type { ChatSession } from './chat-session.js';

/** What the chat does after a command. */
export type AfterCommand = 'go on' | 'quit';

interface ChatCommand {
  readonly help: string;
  readonly run: (chat: ChatSession) => AfterCommand | Promise<AfterCommand>;
}

const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  '/help': { help: 'shows this', run: showHelp },
  '/state': { help: 'shows what the conversation remembers', run: showState },
  '/usage': { help: 'shows how many calls and tokens it has used', run: showUsage },
  '/compact': { help: 'summarises the conversation so far', run: compact },
  '/now': { help: 'sends a message that the agent reads before its next step', run: tellNeedsText },
  '/next': { help: 'sends one that is read after the run; so does a line without it', run: tellNeedsText },
  '/instead': { help: 'stops the run, and sends a message in its place', run: tellNeedsText },
  '/new': { help: 'begins a new conversation', run: startAnew },
  '/quit': { help: 'leaves; so does Ctrl-C twice', run: () => 'quit' },
};

/** True if a line is a command, not a message. */
export function isCommand(line: string): boolean {
  return line.startsWith('/');
}

export async function runCommand(line: string, chat: ChatSession): Promise<AfterCommand> {
  const name = line.trim().split(/\s+/)[0] ?? '';
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command.run(chat);
  chat.screen.note(`Unknown command ${name}. Available: ${Object.keys(COMMANDS).join(', ')}.`);
  return 'go on';
}

function showHelp({ screen }: ChatSession): AfterCommand {
  for (const [name, { help }] of Object.entries(COMMANDS)) screen.note(`${name.padEnd(9)} ${help}`);
  return 'go on';
}

async function showState(chat: ChatSession): Promise<AfterCommand> {
  const { screen } = chat;
  const entries = Object.entries(await chat.readState());
  if (entries.length === 0) screen.note('The state is empty.');
  for (const [key, value] of entries) screen.note(`${key} = ${inlineJson(value)}`);
  return 'go on';
}

function showUsage({ screen, usage }: ChatSession): AfterCommand {
  screen.note(usage.toString());
  return 'go on';
}

async function compact({ runner, userId, sessionId, screen }: ChatSession): Promise<AfterCommand> {
  try {
    const isShorter = await runner.compact({ userId, sessionId });
    screen.note(isShorter ? 'The model reads a summary from now on.' : 'There is nothing to summarise.');
  } catch (error) {
    screen.note(AdornError.is(error) ? error.message : 'The conversation could not be summarised.');
  }
  return 'go on';
}

/** With a text they are messages, which are sent while a run goes on. */
function tellNeedsText({ screen }: ChatSession): AfterCommand {
  screen.note('Write the message behind the command, such as: /now Only those of this year.');
  return 'go on';
}

function startAnew(chat: ChatSession): AfterCommand {
  chat.startAnew();
  chat.screen.note(`New conversation: ${chat.sessionId}`);
  return 'go on';
}
