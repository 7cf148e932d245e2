import type { AdornError } from '@adorn/core';
import { dirname } from 'node:path';

import { type BuildReport, reportOf } from '../emit/build-report.js';
import { emittingProjects } from '../emit/plan-build.js';
import type { PlannedFile } from '../emit/planned-file.js';
import { textOf } from '../emit/text-of.js';
import { replaceWhole } from '../emit/write-whole.js';
import { everyOutcome } from '../errors/errors.js';
import { readProjectTree } from '../program/read-project.js';
import type { Change } from './changes.js';
import { WatchScope } from './watch-scope.js';
import { WatchedProject } from './watched-project.js';

/** The result of one round. */
export interface BuildRound {
  readonly report: BuildReport;
  /** The emitted files that were written. */
  readonly written: readonly string[];
  readonly faults: readonly AdornError[];
}

/** `adorn build`, again and again. What is wrong in one file leaves the others alone. */
export class ContinuousBuild {
  private projects: readonly WatchedProject[] = [];
  /** Faults of the tsconfigs. */
  private unusable: readonly AdornError[] = [];
  /** The files written by this process, by path. */
  private readonly writings = new Map<string, string>();

  /** @param config the absolute path of a tsconfig */
  constructor(private readonly config: string) {}

  /** Has the next round read what changed. Where a tsconfig is not usable, all stays as it was. */
  renew(): void {
    const { results, faults } = everyOutcome([() => emittingProjects(readProjectTree(this.config))]);
    this.unusable = faults;
    for (const projects of results) {
      const earlier = new Map(this.projects.map((project) => [project.path, project]));
      this.projects = projects.map((project) => new WatchedProject(project, earlier.get(project.path)));
    }
  }

  /** Writes what is due. */
  write(): BuildRound {
    const plans = this.projects.map((project) => project.plan());
    const files = plans.flatMap((plan) => plan.files);
    const written = files.filter((file) => this.replace(file)).map(({ path }) => path);
    const faults = [...this.unusable, ...plans.flatMap((plan) => plan.faults)];
    return { report: reportOf(files), written, faults };
  }

  /** True if the projects or their types may have changed. */
  isOutdatedBy({ path, cameOrWent }: Change): boolean {
    if (this.unusable.length > 0) return true;
    return this.projects.some((project) => project.reads(path)) || (cameOrWent && !this.emits(path));
  }

  /** True if another process has written a file that is to have records. */
  isUndoneBy({ path }: Change): boolean {
    return this.emits(path) && textOf(path) !== this.writings.get(path);
  }

  get scope(): WatchScope {
    const folders = this.projects.flatMap((project) => project.folders);
    const files = this.projects.flatMap((project) => project.files);
    // Nothing is known until the tsconfig was usable once.
    return files.length === 0 ? new WatchScope([dirname(this.config)], []) : new WatchScope(folders, files);
  }

  private emits(path: string): boolean {
    return this.projects.some((project) => project.emits(path));
  }

  /** A file that tsc has written since it was read is left to the next round, which its change calls for. */
  private replace({ path, before, after }: PlannedFile): boolean {
    if (before === after || !replaceWhole(path, before, after)) return false;
    this.writings.set(path, after);
    return true;
  }
}
