import { planFile, type PlannedFile } from '../emit/planned-file.js';
import { textOf } from '../emit/text-of.js';
import { filesBehind } from '../program/dependencies.js';
import type { Project } from '../program/read-project.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { ts } from '../typescript.js';

interface KeptPlan {
  /** A file that has not changed is parsed once, so it is the same object from one program to the next. */
  readonly behind: readonly ts.SourceFile[];
  readonly file: PlannedFile | undefined;
}

/** What was planned for the sources of a project, as long as nothing changes on which it depends. */
export class KeptPlans {
  private readonly known = new Map<string, KeptPlan>();

  /**
   * What `planFile` answers.
   *
   * @throws what is wrong with the source, or EmittedFileError; SeveralFaultsError
   */
  planOf(path: string, project: Project, world: CheckerContext): PlannedFile | undefined {
    const source = world.program.getSourceFile(path);
    if (source === undefined) return undefined;
    const behind = filesBehind(source, world.program);
    const kept = this.known.get(path);
    const current = kept !== undefined && isSame(kept.behind, behind) ? asItLies(kept) : undefined;
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
  if (kept.file === undefined) return kept;
  const { path, before, after } = kept.file;
  const text = textOf(path);
  if (text === after) return { ...kept, file: { ...kept.file, before: after } };
  return text === before ? kept : undefined;
}
