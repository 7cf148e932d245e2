import { sourcesOf } from '../program/create-program.js';
import type { Project } from '../program/read-project.js';
import type { TypeWorld } from '../schema/type-world.js';
import type { ts } from '../typescript.js';
import { readEmittedFile } from './emitted-file.js';
import { EmittedTarget } from './emitted-target.js';
import { FoundRecords } from './found-records.js';
import { withInsertions } from './insertion.js';

/** A source with something that gets a record. */
export interface RecordedSource {
  readonly source: ts.SourceFile;
  readonly found: FoundRecords;
  readonly project: Project;
}

/** What an emitted file says, and what it is to say. */
export interface PlannedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** How many each of its classes has. */
  readonly tools: readonly number[];
}

export function recordedSources(project: Project, world: TypeWorld): RecordedSource[] {
  return sourcesOf(project).flatMap((name) => {
    const source = world.program.getSourceFile(name);
    const found = source && new FoundRecords(source, world);
    return found === undefined || found.isEmpty ? [] : [{ source, found, project }];
  });
}

/** @throws what is wrong with the source, or with what was emitted for it; SeveralFaultsError */
export function planFile({ source, found, project }: RecordedSource): PlannedFile {
  const emitted = readEmittedFile(source.fileName, project);
  const insertions = found.insertionsInto(new EmittedTarget(source, emitted));
  const after = withInsertions(emitted.code.text, insertions);
  return { path: emitted.path, before: emitted.text, after, tools: found.tools };
}
