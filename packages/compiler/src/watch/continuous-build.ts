import { AdornError } from '@adorn/core';
import { readFileSync } from 'node:fs';

import { type BuildReport, reportOf } from '../emit/build-report.js';
import { emittedPath } from '../emit/emitted-file.js';
import { emittingProjects } from '../emit/emitting-projects.js';
import { planFile, type PlannedFile, type RecordedSource, recordedSources } from '../emit/planned-file.js';
import { writeWhole } from '../emit/write-whole.js';
import { DerivationFailedError } from '../errors/derivation-failed.error.js';
import { everyOutcome } from '../errors/several-faults.error.js';
import { KeptProgram } from '../program/kept-program.js';
import type { Project } from '../program/read-project.js';
import type { Watched } from './watchers.js';

/** What one round did. */
export interface BuildRound {
  readonly report: BuildReport;
  /** The emitted files that were written. */
  readonly written: readonly string[];
  readonly faults: readonly AdornError[];
}

/** `adorn build`, again and again over programs that are kept. What is wrong in one file leaves the others alone. */
export class ContinuousBuild {
  private readonly programs = new Map<string, KeptProgram>();
  private readonly writings = new Map<string, string>();
  private recorded: readonly RecordedSource[] = [];

  /** @param project a tsconfig, or the folder that holds `tsconfig.json` */
  constructor(private readonly project: string) {}

  /**
   * Reads anew whatever has changed.
   *
   * @throws DerivationFailedError where a tsconfig is not usable
   */
  readSources(): void {
    const projects = emittingProjects(this.project);
    this.recorded = projects.flatMap((project) => recordedSources(project, this.programOf(project).world));
  }

  /** Writes what is due. What is wrong with an emitted file only may be right when tsc is done with it. */
  write(): BuildRound {
    const planned = everyOutcome(this.recorded.map((one) => () => planFile(one)));
    const due = planned.results.filter(({ before, after }) => before !== after);
    const written = everyOutcome(due.map((file) => () => this.put(file)));
    return {
      report: reportOf(planned.results),
      written: written.results,
      faults: [...planned.faults, ...written.faults],
    };
  }

  /** Whether the file says what was written here, and nobody else has touched it since. */
  isOwnWriting(path: string): boolean {
    return this.writings.has(path) && this.writings.get(path) === textOf(path);
  }
  ...
}
