import type { Output } from './palette.js';

const WIDTH = 24;

/** How far something has come that takes longer than a second, in the last line of a terminal. Nothing elsewhere. */
export class ProgressBar {
  private done = 0;
  private isShown = false;
  private readonly began = performance.now();

  /** @param total how many steps there are */
  constructor(
    private readonly output: Output,
    private readonly total: number,
  ) {}

  /** One step more is done. Lines that `print` writes stand above the bar. */
  step(print: () => void): void {
    this.clear();
    print();
    this.done++;
    if (this.output.isTTY === true && performance.now() - this.began > 1_000 && this.done < this.total)
      this.show();
  }

  /** Removes the bar. */
  clear(): void {
    if (this.isShown) this.output.write('\r\u001b[K');
    this.isShown = false;
  }

  private show(): void {
    const filled = Math.round((this.done / this.total) * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    const seconds = (performance.now() - this.began) / 1_000;
    const left = Math.round((seconds / this.done) * (this.total - this.done));
    this.output.write(`${bar} ${String(this.done)} of ${String(this.total)}, about ${String(left)} s left`);
    this.isShown = true;
  }
}
