import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

import { createProgram } from '../program/create-program.js';
import { type Project, projectOf, readingOnce } from '../program/read-project.js';
import { ts } from '../typescript.js';
import type { ByHand } from './by-hand.js';
import { mayUse, type MemberRename, memberRenamesFor, migrateMembers } from './migrate-members.js';
import { migrateSource, type NameChange } from './migrate-source.js';
import { packageOf } from './successor.js';
import { applyEdits } from './text-edits.js';

/** A source that has names of an earlier version of Adorn. */
export interface MigratedFile {
  readonly path: string;
  /** The text as it was read. */
  readonly before: string;
  /** The text with today's names: that of before, if all that is to change is left to a person. */
  readonly after: string;
  readonly changes: readonly NameChange[];
  /** Lines and columns are those of the text of after. */
  readonly byHand: readonly ByHand[];
  /** By the name of a package that it imports now, the package that had the name before. */
  readonly packages: Readonly<Record<string, string>>;
}

/**
 * Reads sources, and writes those that have names of an earlier version of Adorn with today's. Nothing is written to the
 * disk. Options and other members are found by the types of the installed packages: those of today.
 *
 * @param paths absolute paths of sources in TypeScript or JavaScript
 * @throws DerivationFailedError where a tsconfig is not usable
 */
export function migrateCode(paths: readonly string[]): MigratedFile[] {
  const files = paths.map(fileWithNames);
  const texts = new Map(files.map(({ path, after }) => [path, after]));
  const renames = memberRenamesFor([...texts.values()]);
  const wanted = files.filter(({ after }) => mayUse(after, renames));
  const migrated = new Map(files.map((file) => [file.path, file]));
  for (const [project, some] of byProject(wanted)) {
    const program = createProgram(project, pathsOf(some), reading(texts));
    for (const file of some) migrated.set(file.path, withMembers(file, program, renames));
  }
  return [...migrated.values()].filter(({ changes, byHand }) => changes.length > 0 || byHand.length > 0);
}

function fileWithNames(path: string): MigratedFile {
  const bytes = readFileSync(path);
  const before = bytes.toString('utf8');
  // A text in another encoding could not be written as it was read.
  const { text, changes } = migrateSource(path, isUtf8(bytes) ? before : '');
  const after = changes.length > 0 ? text : before;
  const { byHand } = migrateSource(path, isUtf8(bytes) ? after : '');
  const moved = changes
    .map(({ from, to }) => [packageOf(to.entry), packageOf(from.entry)] as const)
    .filter(([to, from]) => to !== from);
  return { path, before, after, changes, byHand, packages: Object.fromEntries(moved) };
}

function withMembers(
  file: MigratedFile,
  program: ts.Program,
  renames: readonly MemberRename[],
): MigratedFile {
  const source = program.getSourceFile(file.path);
  if (!source) return file;
  const { edits, changes, byHand } = migrateMembers(source, program, renames);
  return {
    ...file,
    after: applyEdits(file.after, edits),
    changes: [...file.changes, ...changes],
    byHand: [...file.byHand, ...byHand],
  };
}

function byProject(files: readonly MigratedFile[]): Map<Project, MigratedFile[]> {
  const read = readingOnce();
  const found = new Map<Project, MigratedFile[]>();
  for (const file of files) {
    const project = projectOf(file.path, read);
    found.set(project, [...(found.get(project) ?? []), file]);
  }
  return found;
}

function pathsOf(files: readonly MigratedFile[]): string[] {
  return files.map(({ path }) => path);
}

/** Reads the texts in the place of files. */
function reading(texts: ReadonlyMap<string, string>) {
  return {
    reading:
      (read: ts.CompilerHost['getSourceFile']): ts.CompilerHost['getSourceFile'] =>
      (name, settings, ...rest) => {
        const text = texts.get(name);
        return text === undefined ? read(name, settings, ...rest) : ts.createSourceFile(name, text, settings);
      },
  };
}
