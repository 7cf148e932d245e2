import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Leaves out what `tsc` has written of sources that are gone: it never deletes its output. If no file has its source, as in an
 * image without sources, none is left out.
 */
export function withoutOldOutput(files: readonly string[]): readonly string[] {
  const current = files.filter((file) => !isOldOutput(file));
  return current.length > 0 ? current : files;
}

/** True for a compiled file whose source map names sources, of which none exists. A file without such a map counts as current. */
function isOldOutput(file: string): boolean {
  const sources = sourcesOf(file);
  return sources.length > 0 && !sources.some((source) => existsSync(resolve(dirname(file), source)));
}

function sourcesOf(file: string): readonly string[] {
  try {
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as {
      sources?: unknown;
      sourceRoot?: unknown;
    };
    const root = typeof map.sourceRoot === 'string' ? map.sourceRoot : '';
    const sources: readonly unknown[] = Array.isArray(map.sources) ? map.sources : [];
    return sources.filter((source) => typeof source === 'string').map((source) => root + source);
  } catch {
    return [];
  }
}
