import type { FoundClass } from '../extract/find-classes.js';
import type { Project } from '../program/read-project.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { ts } from '../typescript.js';
import { readEmittedFile } from './emitted-file.js';
import { EmittedTarget } from './emitted-target.js';
import { FoundRecords } from './found-records.js';
import { withInsertions } from './insertion.js';
import type { NamedValue } from './named-value.js';

/** The current and the intended text of an emitted file. */
export interface PlannedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly classes: number;
  readonly tools: number;
}

/**
 * Undefined if nothing in the source gets a record.
 *
 * @throws the faults of the source, EmittedFileError, SeveralFaultsError
 */
export function planFile(path: string, project: Project, world: CheckerContext): PlannedFile | undefined {
  const source = world.program.getSourceFile(path);
  if (!source) return undefined;
  const found = new FoundRecords(source, world);
  if (found.isEmpty) return undefined;
  const emitted = readEmittedFile(path, project);
  const insertions = found.insertionsInto(new EmittedTarget(source, emitted));
  const after = withInsertions(emitted.code.text, insertions);
  const { classes, tools } = found;
  return { path: emitted.path, before: emitted.text, after, classes: classes.length, tools };
}

/** The file that records are written to: the emitted file, or the source itself. */
export interface RecordTarget {
  /** The class in this file for one of the source. */
  classFor(source: FoundClass): ts.ClassLikeDeclaration;
  /** The call in this file for one of the source. */
  callFor(source: ts.CallExpression): ts.CallExpression;
  /** The expression for a named value of the source at a place in this file; undefined if out of reach. */
  expressionFor(named: NamedValue, place: ts.Node): string | undefined;
}
