import type { Writable } from 'node:stream';

import type { Line } from '../terminal/line.js';
import { type Palette, paletteFor } from '../terminal/palette.js';
import { printable } from '../terminal/printable.js';
import { cut } from './inline-json.js';

/** What a conversation is written to: `process.stdout`, or anything that takes text. */
export interface ChatOutput extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * The one place that writes: whole lines, text as it streams in, and a spinner where there is a terminal. Models,
 * tools and users write what is shown, so none of it may command the terminal.
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

  /** False once nobody reads any more, as behind `| head`. */
  get isRead(): boolean {
    return this.hasReader;
  }

  /** How many characters a line has room for. */
  get width(): number {
    const { columns = 0 } = this.output;
    return columns === 0 ? 110 : Math.max(40, columns);
  }

  /** How many lines fit on the screen beside a question. */
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

  /** Goes on where the last piece ended. */
  stream(text: string): void {
    this.spinner?.stop();
    this.write(printable(text));
    this.isMidLine = !text.endsWith('\n');
  }

  /** Says that something is waited for; only a terminal shows it. */
  wait(label: string): void {
    if (!this.isMidLine) this.spinner?.start(cut(printable(label), this.width - 4));
  }

  /** Ends what is unfinished, so that the next thing begins on a line of its own. */
  rest(): void {
    this.spinner?.stop();
    if (this.isMidLine) this.write('\n');
    this.isMidLine = false;
  }

  /** Ends the last line and lets go of the output, once it has told whether that was written. */
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

/** Turns on one line of a terminal while something is waited for; it leaves the line empty. */
export class Spinner {
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
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.output.write('\r\u001b[K');
  }
}
