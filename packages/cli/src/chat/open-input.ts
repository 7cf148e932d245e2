import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';

import { UsageError } from '../usage.error.js';
import type { ChatInput } from './chat-input.js';
import type { ChatOptions } from './chat-options.js';
import type { Screen } from './screen.js';
import { ScriptInput } from './script-input.js';
import { TerminalInput } from './terminal-input.js';

/** The named script, else the terminal, else the demo, else the lines of the input. */
export async function openInput(options: ChatOptions, screen: Screen): Promise<ChatInput> {
  const { script, demo, input = process.stdin, output = process.stdout } = options;
  if (script !== undefined) return play(await read(script), screen);
  if (input.isTTY === true) return new TerminalInput(input, output);
  if (demo === undefined) return play(await text(input), screen);
  screen.note(`No terminal: playing ${relative(process.cwd(), demo)}.`);
  return play(await read(demo), screen);
}

function play(script: string, screen: Screen): ScriptInput {
  return new ScriptInput(script, (shown) => {
    screen.stream(shown);
  });
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ScriptNotFoundError(path, error);
  }
}

/** The script of a chat cannot be read. */
export class ScriptNotFoundError extends UsageError {
  constructor(path: string, cause: unknown) {
    const fault =
      typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unreadable';
    super(
      `The script ${path} cannot be read (${fault}). Pass --script the path of a text file, relative to ` +
        `${process.cwd()}, with one user message per line.`,
      { cause },
    );
  }
}
