import { allOrEveryFault, SchemaStaleError } from '../errors/errors.js';
import { createProgram, sourcesOf } from '../program/create-program.js';
import { type Project, readProjectTree } from '../program/read-project.js';
import { decoratorFault } from '../source/decorator-options.js';
import { planFile, type PlannedFile } from './planned-file.js';
import { writeWhole } from './write-whole.js';

export interface BuildOptions {
  /** A tsconfig, or the folder that holds `tsconfig.json`. The projects it refers to are built too. */
  readonly project: string;
  /** Write nothing, and fail where something would have to be written. */
  readonly check?: boolean;
  /** Called with the path of each file that is written. */
  readonly log?: (line: string) => void;
}

/**
 * Writes the records of all decorated classes, and of the functions that are tools, of a project into the JavaScript that
 * tsc emitted for them.
 * Nothing is written where anything is wrong, and a file that is right already is left alone.
 *
 * @throws SchemaStaleError with `check`, naming the files that would change
 * @throws TypeNotRepresentableError, ToolMisplacedError, SchemaInvalidError for what a class says wrong
 * @throws ExperimentalDecoratorsMissingError where classes are decorated and the tsconfig lacks the option
 * @throws DerivationFailedError where a tsconfig is not usable, or tsc has not run
 * @throws SeveralFaultsError where several of these are wrong
 */
export function buildSchemas({ project, check = false, log }: BuildOptions): Promise<BuildReport> {
  return Promise.resolve().then(() => {
    const planned = emittingProjects(readProjectTree(project)).flatMap(planProject);
    const changed = planned.filter(({ before, after }) => before !== after);
    if (check && changed.length > 0) throw new SchemaStaleError(changed.map(({ path }) => path));
    for (const { path, after } of changed) {
      writeWhole(path, after);
      log?.(`wrote the schemas in ${path}`);
    }
    return reportOf(planned);
  });
}

function planProject(project: Project): PlannedFile[] {
  const sources = sourcesOf(project);
  if (sources.length === 0) return [];
  const program = createProgram(project, sources);
  const world = { program, checker: program.getTypeChecker() };
  const files = sources.flatMap((name) => program.getSourceFile(name) ?? []);
  const fault = decoratorFault(project, files, world.checker);
  if (fault) throw fault;
  const planned = allOrEveryFault(sources.map((source) => () => planFile(source, project, world)));
  return planned.filter((file) => file !== undefined);
}

/** Declarations with current records, whether written now or before. */
export interface BuildReport {
  readonly files: number;
  readonly classes: number;
  readonly tools: number;
}

export function reportOf(planned: readonly PlannedFile[]): BuildReport {
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return {
    files: planned.length,
    classes: total(planned.map(({ classes }) => classes)),
    tools: total(planned.map(({ tools }) => tools)),
  };
}

/** Omits referenced projects that emit nothing, such as specs. The last, named project is kept. */
export function emittingProjects(tree: readonly Project[]): Project[] {
  return tree.filter((project) => project === tree.at(-1) || project.config.options.noEmit !== true);
}
