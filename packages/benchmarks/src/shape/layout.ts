import { posix } from 'node:path';

/** A source file and what it imports. */
export interface ImportingFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  /** Specifiers as they are written. */
  readonly imports: readonly string[];
}

/** The files that exactly one other file imports, by relative specifiers. */
export function importedOnce(files: readonly ImportingFile[]): string[] {
  const importers = new Map(files.map(({ path }) => [path, 0]));
  for (const { path, imports } of files) {
    for (const imported of new Set(imports.map((specifier) => resolveRelative(path, specifier)))) {
      const count = importers.get(imported);
      if (count !== undefined) importers.set(imported, count + 1);
    }
  }
  return [...importers].filter(([, count]) => count === 1).map(([path]) => path);
}

/** How many files stand directly in each folder, the fullest folder first. */
export function filesPerFolder(paths: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, files]) => ({ folder, files })).sort((a, b) => b.files - a.files);
}

/** Specifiers end in `.js`, files in `.ts`; a package's name stays as it is. */
function resolveRelative(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}
