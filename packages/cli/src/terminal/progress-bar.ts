import { StatusLine, type StatusOutput } from './status-line.js';

/** The most characters of a bar. */
const WIDTH = 24;

/** A bar is shown after this time, and drawn again as often. */
const QUIET_MS = 1_000;
const REDRAW_MS = 100;

/**
 * How far something has come that takes longer than a second, in the last line of a terminal. Nothing elsewhere. It is written
 * to the standard error, so that results can be sent to a file.
 */
export class ProgressBar {
  private done = 0;
  private readonly line: StatusLine;
  private drawnAt = 0;
  private readonly began = performance.now();

  /** @param total how many steps there are; undefined if that is not known */
  constructor(
    output: StatusOutput,
    private readonly total?: number,
  ) {
    this.line = new StatusLine(output);
  }

  /** One step more is done. Lines that `print` writes stand above the bar. */
  step(print?: () => void): void {
    if (print) this.clear();
    print?.();
    this.done++;
    const now = performance.now();
    if (this.done === this.total) this.clear();
    else if (this.line.isPossible && this.isDue(now)) this.draw(now);
  }

  /** Removes the bar. */
  clear(): void {
    this.line.clear();
  }

  private isDue(now: number): boolean {
    return now - this.began > QUIET_MS && (!this.line.isShown || now - this.drawnAt >= REDRAW_MS);
  }

  private draw(now: number): void {
    this.line.show(this.textAt(now));
    this.drawnAt = now;
  }

  private textAt(now: number): string {
    const { done, total } = this;
    if (total === undefined) return `${String(done)} done`;
    const width = Math.min(WIDTH, Math.max(0, this.line.columns - 30));
    const filled = Math.round((done / total) * width);
    const bar = width === 0 ? '' : `${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
    const left = Math.round(((now - this.began) / 1_000 / done) * (total - done));
    return `${bar}${String(done)} of ${String(total)}, about ${String(left)} s left`;
  }
}
