import { allOrEveryFault } from '../errors/errors.js';
import { stepOf } from '../program/build-step.js';
import { shownPath } from '../program/shown-path.js';
import { createProgram, sourcesOf } from '../program/create-program.js';
import { isOwn, packageFilesOf } from '../program/dependencies.js';
import { type ProjectSources, projectSourcesOf } from '../program/project-sources.js';
import { type Project, readProjectTree } from '../program/read-project.js';
import { decoratorFault } from '../source/decorator-options.js';
import type { ts } from '../typescript.js';
import { planFile, type PlannedFile } from './planned-file.js';

/** What a build is to write, and what that was made from. */
export interface BuildPlan {
  readonly files: readonly PlannedFile[];
  /** The sources, the types outside of what is installed, the tsconfigs, and the versions of what is installed. */
  readonly read: readonly string[];
  /** Where the sources of the projects are. */
  readonly sources: readonly ProjectSources[];
}

/**
 * Plans the emitted files of a project and of those that it refers to.
 *
 * @param onStep is told what is done next
 * @throws the faults of `buildSchemas`
 */
export function planBuild(project: string, onStep?: (step: string) => void): BuildPlan {
  const readAt = Date.now();
  const tree = readProjectTree(project);
  const plans = emittingProjects(tree).map((one) => planProject(one, onStep));
  return {
    files: plans.flatMap(({ files }) => files),
    read: [
      ...new Set([...tree.flatMap(({ configFiles }) => configFiles), ...plans.flatMap(({ read }) => read)]),
    ],
    sources: tree.map((one) => projectSourcesOf(one, readAt)),
  };
}

/** Omits referenced projects that emit nothing, such as specs. The last, named project is kept. */
export function emittingProjects(tree: readonly Project[]): Project[] {
  return tree.filter((project) => project === tree.at(-1) || project.config.options.noEmit !== true);
}

function planProject(
  project: Project,
  onStep: (step: string) => void = () => undefined,
): Pick<BuildPlan, 'files' | 'read'> {
  const sources = sourcesOf(project);
  if (sources.length === 0) return { files: [], read: [] };
  onStep(`Reading ${shownPath(project.path ?? 'the sources')}`);
  const program = createProgram(project, sources);
  const world = { program, checker: program.getTypeChecker() };
  const files = sources.flatMap((name) => program.getSourceFile(name) ?? []);
  const fault = decoratorFault(project, files, world.checker);
  if (fault) throw fault;
  const planned = allOrEveryFault(
    sources.map((source, place) => () => {
      onStep(stepOf('Deriving', place, sources.length, source));
      return planFile(source, project, world);
    }),
  );
  return { files: planned.filter((file) => file !== undefined), read: filesReadBy(program) };
}

function filesReadBy(program: ts.Program): string[] {
  const own = program.getSourceFiles().filter((file) => isOwn(file, program));
  return [...own.map(({ fileName }) => fileName), ...packageFilesOf(program)];
}
