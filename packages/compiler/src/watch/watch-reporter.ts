import type { AdornError } from '@adorn/core';

import type { BuildReport } from '../emit/build-report.js';
import { EmittedFileError } from '../errors/errors.js';
import type { BuildRound } from './continuous-build.js';

/** A round that is reported: the first one, one that wrote files, or one whose faults differ. */
export interface WatchRound {
  readonly report: BuildReport;
  /** The emitted files that were written. */
  readonly written: readonly string[];
  /** Faults that have not been reported yet. */
  readonly faults: readonly AdornError[];
  /** The number of all current faults. */
  readonly standing: number;
  /** True if the previous report had faults and there are none now. */
  readonly isFixed: boolean;
}

/** Decides what to report of a round. Faults of an emitted file are held back, because tsc may be about to write it. */
export class WatchReporter {
  private isFirst = true;
  private reported: ReadonlySet<string> = new Set();
  private isWaiting = false;

  /** True if faults are held back, to be reported if they persist. */
  get holdsBack(): boolean {
    return this.isWaiting;
  }

  /**
   * Returns the round to report, or undefined.
   *
   * @param isLate true if nothing has changed for the time given to tsc
   */
  report({ report, written, faults }: BuildRound, isLate: boolean): WatchRound | undefined {
    const held = isLate
      ? []
      : faults.filter((fault) => isPassing(fault) && !this.reported.has(fault.message));
    const standing = faults.filter((fault) => !held.includes(fault));
    const fresh = standing.filter(({ message }) => !this.reported.has(message));
    const before = this.remember(standing, held);
    const isWorthIt = this.isFirst || written.length > 0 || fresh.length > 0 || this.reported.size < before;
    this.isFirst = false;
    if (!isWorthIt) return undefined;
    const isFixed = before > 0 && faults.length === 0;
    return { report, written, faults: fresh, standing: standing.length, isFixed: isFixed };
  }

  /** Records the reported faults; keeps earlier ones while faults are held back. Returns the previous number. */
  private remember(standing: readonly AdornError[], held: readonly AdornError[]): number {
    const before = this.reported;
    this.isWaiting = held.length > 0;
    const kept = this.isWaiting ? before : [];
    this.reported = new Set([...kept, ...standing.map(({ message }) => message)]);
    return before.size;
  }
}

function isPassing(fault: AdornError): boolean {
  return fault instanceof EmittedFileError;
}
