import { relative } from 'node:path';

import type { ExportedName, MigratedFile, NameChange } from '@adorn/compiler';
import { shownPath } from '@adorn/compiler/build';
import { createTwoFilesPatch } from 'diff';

import type { Line } from '../terminal/palette.js';
import { counted } from '../terminal/counted.js';
import { printable } from 'adorn/main';
import type { ChangedManifest } from './manifests.js';

/** What `adorn migrate code` has found, and has written unless it is a dry run. */
export interface CodeMigration {
  /** The paths for programs are from here. */
  readonly folder: string;
  /** The number of sources that were read. */
  readonly sources: number;
  readonly files: readonly MigratedFile[];
  readonly manifests: readonly ChangedManifest[];
  readonly isDryRun: boolean;
}

/** For a person: each file with what was changed, or the difference in a dry run, and what is left to change by hand. */
export function migrationLines(migration: CodeMigration): Line[] {
  const { isDryRun, files, manifests } = migration;
  const changed = [...files.filter(({ changes }) => changes.length > 0), ...manifests];
  return [
    ...changed.flatMap((file) => (isDryRun ? differenceLines(file) : changeLines(file))),
    ...byHandLines(migration),
    { tone: 'title', text: closingLine(migration, changed.length) },
  ];
}

/** For a program. */
export function migrationJson({ folder, sources, files, manifests, isDryRun }: CodeMigration): object {
  return {
    folder,
    isDryRun,
    sources,
    files: files.map(({ path, changes, byHand }) => ({ path: relative(folder, path), changes, byHand })),
    dependencies: manifests.map(({ path, added }) => ({ path: relative(folder, path), added })),
  };
}

function changeLines(file: MigratedFile | ChangedManifest): Line[] {
  const changes =
    'added' in file
      ? Object.entries(file.added).map(([name, version]) => `${name} ${version} is a dependency`)
      : file.changes.map(changeText);
  return [
    { tone: 'title', text: printable(shownPath(file.path)) },
    ...changes.map((text): Line => ({ tone: 'answer', text: printable(`  ${text}`) })),
  ];
}

function changeText({ from, to }: NameChange): string {
  if (from.entry === to.entry) return `${from.name} is ${to.name}`;
  return from.name === to.name ? `${from.name} is in ${to.entry}` : `${from.name} is ${shown(to)}`;
}

function shown({ entry, name }: ExportedName): string {
  return `${name} of ${entry}`;
}

function differenceLines(file: MigratedFile | ChangedManifest): Line[] {
  const path = shownPath(file.path);
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, file.before, file.after, undefined, undefined, {
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch
    .trimEnd()
    .split('\n')
    .map((line): Line => ({ tone: toneOf(line), text: printable(line) }));
}

function toneOf(line: string): Line['tone'] {
  if (/^(?:---|\+\+\+) /.test(line)) return 'title';
  if (line.startsWith('+')) return 'result';
  return line.startsWith('-') ? 'failure' : 'note';
}

function byHandLines({ files, isDryRun }: CodeMigration): Line[] {
  const lines = files.flatMap(({ path, byHand }) =>
    byHand.map(({ line, column, name, advice }): Line => {
      const place = `${shownPath(path)}:${String(line)}:${String(column)}`;
      return { tone: 'warning', text: printable(`  ${place}  ${name}: ${advice}`) };
    }),
  );
  return lines.length === 0
    ? []
    : [
        { tone: 'title', text: `To change by hand${isDryRun ? ', in the lines as they would be' : ''}:` },
        ...lines,
      ];
}

function closingLine({ sources, isDryRun, manifests, files }: CodeMigration, changed: number): string {
  const read = counted(sources, 'source');
  const left = files.flatMap(({ byHand }) => byHand).length;
  if (changed === 0) return `${read} read: nothing ${left === 0 ? 'to change' : 'else to change'}.`;
  if (isDryRun) return `${read} read: ${counted(changed, 'file')} would change. Nothing was written.`;
  const next = manifests.length === 0 ? '' : 'Install the dependencies. ';
  return `${read} read: ${counted(changed, 'file')} changed. ${next}Format them, and run adorn check.`;
}
