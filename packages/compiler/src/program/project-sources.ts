import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Project } from './read-project.js';

/** Where the files of a project are, and when they were read. */
export interface ProjectSources {
  /** The folders that the tsconfig includes; the value is true if the folders below are included too. */
  readonly folders: Readonly<Record<string, boolean>>;
  /** Folders of emitted files. */
  readonly outputs: readonly string[];
  /** In milliseconds since the epoch. */
  readonly readAt: number;
}

/** `WatchDirectoryFlags.Recursive`: TypeScript itself is not loaded where only the cache is read. */
const RECURSIVE = 1;

/** Where a project's files are, read at a time. */
export function projectSourcesOf({ config }: Project, readAt: number): ProjectSources {
  const folders = Object.entries(config.wildcardDirectories ?? {});
  const { outDir, declarationDir } = config.options;
  return {
    folders: Object.fromEntries(folders.map(([path, flags]) => [path, (flags & RECURSIVE) !== 0])),
    outputs: [outDir, declarationDir].filter((folder) => folder !== undefined),
    readAt,
  };
}

/**
 * The files that were created or changed since the project was read and may declare something for files that do not
 * import them. Lists folders, and reads only the files that are newer.
 */
export function newGlobalFiles(sources: ProjectSources): string[] {
  const newer = sourceFilesIn(sources).filter((path) => changedAt(path) > sources.readAt);
  return newer.filter((path) => mayDeclareForAll(readFileSync(path, 'utf8')));
}

/** The TypeScript files that are in the folders of a project now, those that its tsconfig excludes too. */
export function sourceFilesIn({ folders, outputs }: ProjectSources): string[] {
  const skipped = new Set(outputs.map((folder) => resolve(folder)));
  return Object.entries(folders).flatMap(([folder, isRecursive]) =>
    sourcesIn(resolve(folder), isRecursive, skipped),
  );
}

/** Rules out nearly every source without parsing it. */
export function mayDeclareForAll(text: string): boolean {
  return !/^(?:import|export)\b/m.test(text) || /\bdeclare\s+(?:global|module)\b|\bnamespace\s/.test(text);
}

const SOURCE = /\.[cm]?tsx?$/;

function sourcesIn(folder: string, isRecursive: boolean, skipped: ReadonlySet<string>): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return SOURCE.test(entry.name) ? [path] : [];
    const isForeign = entry.name === 'node_modules' || entry.name.startsWith('.') || skipped.has(path);
    return isRecursive && !isForeign ? sourcesIn(path, isRecursive, skipped) : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** 0 for a file that has gone: where it mattered, its hash is missing too. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}
