import { columnsOf } from './columns.js';
import type { Output } from './palette.js';

/** The most characters of a bar. */
const WIDTH = 24;

/** A bar is shown after this time, and drawn again as often. */
const QUIET_MS = 1_000;
const REDRAW_MS = 100;

/** The stream of a progress bar, such as `process.stderr`. */
export interface ProgressOutput extends Output {
  readonly columns?: number;
}

/**
 * How far something has come that takes longer than a second, in the last line of a terminal. Nothing elsewhere. It is written
 * to the standard error, so that results can be sent to a file.
 */
export class ProgressBar {
  private done = 0;
  private isShown = false;
  private drawnAt = 0;
  private readonly began = performance.now();

  /** @param total how many steps there are; undefined if that is not known */
  constructor(
    private readonly output: ProgressOutput,
    private readonly total?: number,
  ) {}

  /** One step more is done. Lines that `print` writes stand above the bar. */
  step(print?: () => void): void {
    if (print) this.clear();
    print?.();
    this.done++;
    const now = performance.now();
    if (this.done === this.total) this.clear();
    else if (this.output.isTTY === true && this.isDue(now)) this.draw(now);
  }

  /** Removes the bar. */
  clear(): void {
    if (this.isShown) this.output.write('\r\u001b[K');
    this.isShown = false;
  }

  private isDue(now: number): boolean {
    return now - this.began > QUIET_MS && (!this.isShown || now - this.drawnAt >= REDRAW_MS);
  }

  private draw(now: number): void {
    const columns = columnsOf(this.output) ?? 80;
    this.output.write(`${this.isShown ? '\r\u001b[K' : ''}${this.textAt(now).slice(0, columns - 1)}`);
    this.isShown = true;
    this.drawnAt = now;
  }

  private textAt(now: number): string {
    const { done, total } = this;
    if (total === undefined) return `${String(done)} done`;
    const columns = columnsOf(this.output) ?? 80;
    const width = Math.min(WIDTH, Math.max(0, columns - 30));
    const filled = Math.round((done / total) * width);
    const bar = width === 0 ? '' : `${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
    const left = Math.round(((now - this.began) / 1_000 / done) * (total - done));
    return `${bar}${String(done)} of ${String(total)}, about ${String(left)} s left`;
  }
}
