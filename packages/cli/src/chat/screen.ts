import type { Writable } from 'node:stream';

import { type Line, type Palette, paletteFor } from '../terminal/palette.js';
import { printable } from 'adorn/main';
import { cut } from './inline-json.js';

/** The output of a conversation, such as `process.stdout`. */
export interface ChatOutput extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * Writes lines, streamed text and, in a terminal, a spinner. All text is untrusted, so control characters are
 * removed.
 */
export class Screen {
  readonly palette: Palette;
  private readonly spinner: Spinner | undefined;
  private isMidLine = false;
  private hasReader = true;

  constructor(private readonly output: ChatOutput) {
    this.palette = paletteFor(output);
    this.spinner = output.isTTY === true ? new Spinner(output) : undefined;
    output.on('error', this.forgetReader);
  }

  /** False after the reader has closed the pipe, as `| head` does. */
  get isRead(): boolean {
    return this.hasReader;
  }

  /** The width of a line in characters. */
  get width(): number {
    const { columns = 0 } = this.output;
    return columns === 0 ? 110 : Math.max(40, columns);
  }

  /** The number of lines that fit on the screen with a question. */
  get height(): number {
    const { rows = 0 } = this.output;
    return rows === 0 ? 30 : Math.max(10, rows - 4);
  }

  /** Writes lines, each on its own. */
  lines(lines: readonly Line[]): void {
    this.rest();
    for (const { tone, text } of lines) this.write(`${this.palette(tone, printable(text))}\n`);
  }

  note(text: string): void {
    this.lines([{ tone: 'note', text }]);
  }

  /** Appends a piece of streamed text. */
  stream(text: string): void {
    this.spinner?.stop();
    this.write(printable(text));
    this.isMidLine = !text.endsWith('\n');
  }

  /** Starts the spinner, which only a terminal shows. */
  wait(label: string): void {
    if (!this.isMidLine) this.spinner?.start(cut(printable(label), this.width - 4));
  }

  /** Stops the spinner and ends an unfinished line. */
  rest(): void {
    this.spinner?.stop();
    if (this.isMidLine) this.write('\n');
    this.isMidLine = false;
  }

  /** Ends the last line and releases the output. Resolves to whether the line was written. */
  close(): void {
    this.rest();
    setImmediate(() => this.output.off('error', this.forgetReader));
  }

  private write(text: string): void {
    if (this.hasReader) this.output.write(text);
  }

  private readonly forgetReader = (): void => {
    this.hasReader = false;
  };
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const EVERY = 80;

/** A spinner on one line of a terminal. Clears the line when it stops. */
class Spinner {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: Writable) {}

  start(label: string): void {
    this.stop();
    let turn = 0;
    const draw = (): void => {
      this.output.write(`\r\u001b[K${FRAMES[turn++ % FRAMES.length] ?? ''} ${label}`);
    };
    draw();
    this.timer = setInterval(draw, EVERY).unref();
  }

  stop(): void {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.output.write('\r\u001b[K');
  }
}
