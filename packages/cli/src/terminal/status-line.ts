import { columnsOf } from './columns.js';
import type { Output } from './palette.js';

/** The stream of a status line, such as `process.stderr`. */
export interface StatusOutput extends Output {
  readonly columns?: number;
}

/** The last line of a terminal, which tells what is going on, and goes when it is over. Nothing is written elsewhere. */
export class StatusLine {
  /** True while something is in it. */
  isShown = false;

  constructor(private readonly output: StatusOutput) {}

  /** True for a terminal that can replace a line. */
  get isPossible(): boolean {
    return this.output.isTTY === true && process.env['TERM'] !== 'dumb';
  }

  get columns(): number {
    return columnsOf(this.output) ?? 80;
  }

  /** Writes a text in place of what is there, as much of it as fits. */
  show(text: string): void {
    if (!this.isPossible) return;
    this.output.write(`${this.isShown ? '\r\u001b[K' : ''}${text.slice(0, this.columns - 1)}`);
    this.isShown = true;
  }

  clear(): void {
    if (this.isShown) this.output.write('\r\u001b[K');
    this.isShown = false;
  }
}
