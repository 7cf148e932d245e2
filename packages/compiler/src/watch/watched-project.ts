import { dirname } from 'node:path';

import type { AdornError } from '@adorn/core';

import { emittedPath } from '../emit/emitted-file.js';
import { planFile, type PlannedFile } from '../emit/planned-file.js';
import { textOf } from '../emit/text-of.js';
import { everyOutcome } from '../errors/errors.js';
import { sourcesOf } from '../program/create-program.js';
import { filesBehind, isOwn } from '../program/dependencies.js';
import { KeptProgram } from '../program/kept-program.js';
import type { Project } from '../program/read-project.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { decoratorFault } from '../source/decorator-options.js';
import type { ts } from '../typescript.js';

/** One project in watch mode. Files that were read are kept between builds. */
export class WatchedProject {
  private readonly program: KeptProgram;
  private readonly plans: KeptPlans;
  /** The sources that may have something which gets a record. */
  private candidates: readonly string[];
  private emitted: ReadonlySet<string | undefined> = new Set();
  private read: ReadonlySet<string> = new Set();

  constructor(
    private readonly project: Project,
    earlier?: WatchedProject,
  ) {
    this.program = earlier?.program ?? new KeptProgram(project);
    this.program.renew(project);
    this.plans = earlier?.plans ?? new KeptPlans();
    this.candidates = sourcesOf(project);
  }

  get path(): string | undefined {
    return this.project.path;
  }

  /** The requirements of its sources, computed on first use after each reading of the project. */
  plan(): { readonly files: PlannedFile[]; readonly faults: AdornError[] } {
    if (this.candidates.length === 0) return { files: [], faults: [] };
    const { world } = this.program;
    const own = world.program.getSourceFiles().filter((file) => isOwn(file, world.program));
    this.read = new Set(own.map(({ fileName }) => fileName));
    const sources = this.candidates.flatMap((name) => world.program.getSourceFile(name) ?? []);
    const fault = decoratorFault(this.project, sources, world.checker);
    if (fault) return { files: [], faults: [fault] };
    const { results, faults } = everyOutcome(
      this.candidates.map((source) => () => ({
        source,
        file: this.plans.planOf(source, this.project, world),
      })),
    );
    const bare = new Set(results.filter(({ file }) => file === undefined).map(({ source }) => source));
    this.candidates = this.candidates.filter((source) => !bare.has(source));
    this.emitted = new Set(this.candidates.map((source) => emittedPath(source, this.project)));
    return { files: results.flatMap(({ file }) => file ?? []), faults };
  }

  /** True if the file has, or is to have, records. */
  emits(path: string): boolean {
    return this.emitted.has(path);
  }

  /** True if the records may depend on the file. */
  reads(path: string): boolean {
    return this.read.has(path) || this.project.configFiles.includes(path);
  }

  /** The files that it has read outside of what is installed, wherever they are. */
  get files(): string[] {
    return [...this.read, ...this.project.configFiles];
  }

  /** The folders in which its files come and go. */
  get folders(): string[] {
    const { options, fileNames, wildcardDirectories = {} } = this.project.config;
    if (fileNames.length === 0) return [];
    const { outDir, declarationDir } = options;
    const own = this.path === undefined ? [] : [dirname(this.path)];
    return [...own, ...Object.keys(wildcardDirectories), outDir, declarationDir].filter(
      (folder) => folder !== undefined,
    );
  }
}

interface KeptPlan {
  /** A file that has not changed is parsed once, so it is the same object from one program to the next. */
  readonly behind: readonly ts.SourceFile[];
  readonly file: PlannedFile | undefined;
}

/** The planned output of a project's sources, each kept until a dependency changes. */
class KeptPlans {
  private readonly known = new Map<string, KeptPlan>();

  /**
   * What `planFile` answers.
   *
   * @throws what is wrong with the source, or EmittedFileError; SeveralFaultsError
   */
  planOf(path: string, project: Project, world: CheckerContext): PlannedFile | undefined {
    const source = world.program.getSourceFile(path);
    if (!source) return undefined;
    const behind = filesBehind(source, world.program);
    const kept = this.known.get(path);
    const current = kept && isSame(kept.behind, behind) ? asItLies(kept) : undefined;
    const plan = current ?? { behind, file: planFile(path, project, world) };
    this.known.set(path, plan);
    return plan.file;
  }
}

function isSame(one: readonly ts.SourceFile[], other: readonly ts.SourceFile[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index]);
}

/** Undefined where the emitted file is neither what was read nor what was to be written. */
function asItLies(kept: KeptPlan): KeptPlan | undefined {
  if (!kept.file) return kept;
  const { path, before, after } = kept.file;
  const text = textOf(path);
  if (text === after) return { ...kept, file: { ...kept.file, before: after } };
  return text === before ? kept : undefined;
}
