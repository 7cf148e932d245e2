import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { type ChatInput, PROMPT } from './chat-input.js';

/**
 * Reads lines from a terminal, with history and editing. Ctrl-C during a turn goes to whoever listens; at the
 * prompt the first one only warns and the second one ends the conversation, as Ctrl-D does.
 */
export class TerminalInput implements ChatInput {
  readonly isInteractive = true;
  private readonly lines: Interface;
  private typedAhead: string[] = [];
  private waiting: ((line: string | undefined) => void) | undefined;
  private interrupted: (() => void) | undefined;
  private offer: ((line: string) => boolean) | undefined;
  private hasWarned = false;
  private isClosed = false;

  constructor(
    input: Readable,
    private readonly output: Writable,
  ) {
    this.lines = createInterface({ input, output, terminal: true });
    this.lines.on('line', (line) => {
      this.take(line);
    });
    this.lines.on('SIGINT', () => {
      this.interrupt();
    });
    this.lines.on('close', () => {
      this.isClosed = true;
      this.settle(undefined);
    });
  }

  readMessage(): Promise<string | undefined> {
    this.hasWarned = false;
    return this.read(PROMPT);
  }

  /** Drops characters that were typed before the question was shown: a `y` or `n` among them is not an answer. */
  readAnswer(prompt: string): Promise<string | undefined> {
    this.typedAhead = this.typedAhead.filter((line) => !/^\s*(?:y|yes|n|no)\s*$/i.test(line));
    return this.readFresh(prompt);
  }

  onLine(callback: (line: string) => boolean): () => void {
    this.offer = callback;
    return () => {
      this.offer = undefined;
    };
  }

  onInterrupt(callback: () => void): () => void {
    this.interrupted = callback;
    return () => {
      this.interrupted = undefined;
    };
  }

  close(): void {
    this.lines.close();
  }

  private read(prompt: string): Promise<string | undefined> {
    if (this.typedAhead.length > 0) return Promise.resolve(this.typedAhead.shift());
    return this.readFresh(prompt);
  }

  private readFresh(prompt: string): Promise<string | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    this.lines.setPrompt(prompt);
    this.lines.prompt();
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  private take(line: string): void {
    if (this.waiting) this.settle(line);
    else if (this.offer?.(line) !== true) this.typedAhead.push(line);
  }

  private settle(line: string | undefined): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.(line);
  }

  private interrupt(): void {
    if (!this.waiting) this.interrupted?.();
    else if (this.hasWarned) this.close();
    else this.warn();
  }

  private warn(): void {
    this.hasWarned = true;
    this.output.write('\n(Ctrl-C once more, or /quit, leaves)\n');
    this.lines.prompt();
  }
}
