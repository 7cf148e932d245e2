import type { AdornError } from '@adorn/core';

import type { BuildReport } from '../emit/build-report.js';
import { EmittedFileError } from '../errors/errors.js';
import type { BuildRound } from './continuous-build.js';

/** A round that is worth telling: the first one, one that wrote something, and one that found other faults. */
export interface WatchRound {
  readonly report: BuildReport;
  /** The emitted files that were written. */
  readonly written: readonly string[];
  /** What is wrong, and has not been told yet. */
  readonly faults: readonly AdornError[];
  /** How much is wrong in all. */
  readonly standing: number;
  /** Whether something was wrong when a round was last told, and nothing is any more. */
  readonly isMended: boolean;
}

/** Decides what is new in a round. What is wrong with an emitted file is held back: tsc may be about to mend it. */
export class RoundNews {
  private isFirst = true;
  private told: ReadonlySet<string> = new Set();
  private isWaiting = false;

  /** Whether something is held back, to be told if it is still so a while later. */
  get holdsBack(): boolean {
    return this.isWaiting;
  }

  /**
   * Undefined where there is none.
   *
   * @param isLate whether nothing has changed for as long as tsc was given
   */
  of({ report, written, faults }: BuildRound, isLate: boolean): WatchRound | undefined {
    const held = isLate ? [] : faults.filter((fault) => isPassing(fault) && !this.told.has(fault.message));
    const standing = faults.filter((fault) => !held.includes(fault));
    const fresh = standing.filter(({ message }) => !this.told.has(message));
    const before = this.remember(standing, held);
    const isWorthIt = this.isFirst || written.length > 0 || fresh.length > 0 || this.told.size < before;
    this.isFirst = false;
    if (!isWorthIt) return undefined;
    const isMended = before > 0 && faults.length === 0;
    return { report, written, faults: fresh, standing: standing.length, isMended };
  }

  /** While it is open whether all is well, what was told is not taken back. Answers how much was told before. */
  private remember(standing: readonly AdornError[], held: readonly AdornError[]): number {
    const before = this.told;
    this.isWaiting = held.length > 0;
    const kept = this.isWaiting ? before : [];
    this.told = new Set([...kept, ...standing.map(({ message }) => message)]);
    return before.size;
  }
}

function isPassing(fault: AdornError): boolean {
  return fault instanceof EmittedFileError;
}
