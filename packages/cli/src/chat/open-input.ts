import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';

import { UsageError } from '../usage.error.js';
import { type ChatInput, PROMPT } from './chat-input.js';
import type { ChatOptions } from './chat.js';
import type { Screen } from './screen.js';
import { TerminalInput } from './terminal-input.js';

/** Opens the given script, else the terminal, else the demo, else the lines of the input. */
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

/**
 * Plays a script. A line is a message of the user; `y`, `n` and `n because…` answer a pending question, `/state` and
 * the like are commands, and `#` starts a comment. Lines are shown as if they were typed.
 */
export class ScriptInput implements ChatInput {
  readonly isInteractive = false;
  private readonly lines: string[];

  constructor(
    script: string,
    private readonly show: (text: string) => void,
  ) {
    this.lines = script
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  }

  /** An answer that nothing waits for is passed over: another model may not have asked. */
  readMessage(): Promise<string | undefined> {
    let line = this.lines.shift();
    while (line !== undefined && isAnswer(line)) line = this.lines.shift();
    if (line !== undefined) this.show(`\n${PROMPT}${line}\n`);
    return Promise.resolve(line);
  }

  /** A question that the script does not answer is not answered with the next message. */
  readAnswer(prompt: string): Promise<string | undefined> {
    const [next = ''] = this.lines;
    const answer = isAnswer(next) ? this.lines.shift() : undefined;
    this.show(`${prompt}${answer ?? '(no answer in the script)'}\n`);
    return Promise.resolve(answer);
  }

  /** The next line of a script is played when the turn is over. */
  onLine(): () => void {
    return () => undefined;
  }

  onInterrupt(): () => void {
    return () => undefined;
  }

  close(): void {
    this.lines.length = 0;
  }
}

function isAnswer(line: string): boolean {
  return /^(?:y|yes|n|no)$|^no?[\s,:]+\S/i.test(line);
}
