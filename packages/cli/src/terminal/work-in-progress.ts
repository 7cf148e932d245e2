import { printable } from 'adorn/main';
import { StatusLine, type StatusOutput } from './status-line.js';

/** How often the seconds of a step that waits are written. */
const EVERY_MS = 1_000;

/**
 * What a command is doing, in the last line of a terminal, with the seconds that it has taken so far. A step is shown before it
 * begins, as most of them leave no time for anything else until they are done.
 *
 * @example
 * using working = new WorkInProgress(errors, !isJson);
 * working.on('Reading the sources');
 */
export class WorkInProgress implements Disposable {
  private readonly line: StatusLine;
  private readonly began = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;
  private step = '';

  /** @param isShown false if programs read what the command says. Default: true */
  constructor(
    output: StatusOutput,
    private readonly isShown = true,
  ) {
    this.line = new StatusLine(output);
    if (isShown && this.line.isPossible) this.timer = setInterval(() => this.draw(), EVERY_MS).unref();
  }

  /** Shows the next step. */
  on(step: string): void {
    this.step = step;
    this.draw();
  }

  /** Removes the line: what is printed stands in its place. */
  done(): void {
    clearInterval(this.timer);
    this.line.clear();
  }

  /** The same, also where something has failed. */
  [Symbol.dispose](): void {
    this.done();
  }

  private draw(): void {
    if (!this.isShown || this.step === '') return;
    const seconds = Math.floor((performance.now() - this.began) / 1_000);
    this.line.show(printable(`${this.step} …${seconds > 0 ? ` ${String(seconds)} s` : ''}`));
  }
}
