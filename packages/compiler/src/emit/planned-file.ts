import type { Project } from '../program/read-project.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { readEmittedFile } from './emitted-file.js';
import { EmittedTarget } from './emitted-target.js';
import { FoundRecords } from './found-records.js';
import { withInsertions } from './insertion.js';

/** The current and the intended text of an emitted file. */
export interface PlannedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly classes: number;
  readonly tools: number;
}

/**
 * Undefined where nothing of the source gets a record.
 *
 * @throws what is wrong with the source, or EmittedFileError; SeveralFaultsError
 */
export function planFile(path: string, project: Project, world: CheckerContext): PlannedFile | undefined {
  const source = world.program.getSourceFile(path);
  if (source === undefined) return undefined;
  const found = new FoundRecords(source, world);
  if (found.isEmpty) return undefined;
  const emitted = readEmittedFile(path, project);
  const insertions = found.insertionsInto(new EmittedTarget(source, emitted));
  const after = withInsertions(emitted.code.text, insertions);
  const { classes, tools } = found;
  return { path: emitted.path, before: emitted.text, after, classes: classes.length, tools };
}
