import { SchemaStaleError } from '../errors/schema-stale.error.js';
import { allOrEveryFault } from '../errors/several-faults.error.js';
import { createProgram, sourcesOf } from '../program/create-program.js';
import type { Project } from '../program/read-project.js';
import { readProjectTree } from '../program/read-project-tree.js';
import type { TypeWorld } from '../schema/type-world.js';
import type { ts } from '../typescript.js';
import { readEmittedFile } from './emitted-file.js';
import { EmittedTarget } from './emitted-target.js';
import { FoundRecords } from './found-records.js';
import { withInsertions } from './insertion.js';
import { writeWhole } from './write-whole.js';

export interface BuildOptions {
  /** A tsconfig, or the folder that holds `tsconfig.json`. The projects it refers to are built too. */
  readonly project: string;
  /** Write nothing, and fail where something would have to be written. */
  readonly check?: boolean;
  /** Told of each file that is written. */
  readonly log?: (line: string) => void;
}

/** What has its schemas now, whether written or up to date. */
export interface BuildReport {
  readonly files: number;
  readonly classes: number;
  readonly tools: number;
}

interface PlannedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** How many each of its classes has. */
  readonly tools: readonly number[];
}

/**
 * Writes the records of all decorated classes of a project into the JavaScript that tsc emitted for them.
 * Nothing is written where anything is wrong, and a file that is right already is left alone.
 *
 * @throws SchemaStaleError with `check`, naming the files that would change
 * @throws TypeNotRepresentableError, ToolMisplacedError, SchemaInvalidError for what a class says wrong
 * @throws DerivationFailedError where a tsconfig is not usable, or tsc has not run
 * @throws SeveralFaultsError where several of these are wrong
 */
export function buildSchemas({ project, check = false, log }: BuildOptions): Promise<BuildReport> {
  return Promise.resolve().then(() => {
    const planned = emittingProjects(project).flatMap(planProject);
    const changed = planned.filter(({ before, after }) => before !== after);
    if (check && changed.length > 0) throw new SchemaStaleError(changed.map(({ path }) => path));
    for (const { path, after } of changed) {
      writeWhole(path, after);
      log?.(`wrote the schemas in ${path}`);
    }
    return reportOf(planned);
  });
}

/** A project of specs that a solution refers to emits nothing and needs nothing; the one that is named must emit. */
function emittingProjects(path: string): readonly Project[] {
  const tree = readProjectTree(path);
  return tree.filter((project) => project === tree.at(-1) || project.config.options.noEmit !== true);
}

function planProject(project: Project): PlannedFile[] {
  const sources = sourcesOf(project);
  if (sources.length === 0) return [];
  const program = createProgram(project, sources);
  const world = { program, checker: program.getTypeChecker() };
  return allOrEveryFault(
    sources.map((source) => () => planFile(program.getSourceFile(source), project, world)),
  ).flat();
}

function planFile(source: ts.SourceFile | undefined, project: Project, world: TypeWorld): PlannedFile[] {
  if (source === undefined) return [];
  const found = new FoundRecords(source, world);
  if (found.isEmpty) return [];
  const emitted = readEmittedFile(source.fileName, project);
  const insertions = found.insertionsInto(new EmittedTarget(source, emitted));
  const after = withInsertions(emitted.code.text, insertions);
  return [{ path: emitted.path, before: emitted.text, after, tools: found.tools }];
}

function reportOf(planned: readonly PlannedFile[]): BuildReport {
  const tools = planned.flatMap((file) => file.tools);
  return {
    files: planned.length,
    classes: tools.length,
    tools: tools.reduce((sum, count) => sum + count, 0),
  };
}
