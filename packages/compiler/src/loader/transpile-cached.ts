import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type CacheKey, entriesOf, writeEntry } from '../cache/cache-folder.js';
import { FileHashes, type Hashes, hashOf } from '../cache/file-hashes.js';
import { compilerOf } from '../on-demand/run-compiler.js';

/** Raised when the form of an entry or the fixed compiler options change. */
const FORMAT = 1;

/** A source as JavaScript, and from what it was made, by content. */
interface Entry {
  readonly format: number;
  readonly compiler: string;
  readonly file: string;
  /** The hash of the source. */
  readonly source: string;
  /** The tsconfig that applied; null if there was none. */
  readonly tsconfig: string | null;
  readonly settings: Hashes;
  /** The hash of its shape. */
  readonly shape: string;
  readonly code: string;
}

/** Settings are read once in a process, as TypeScript itself reads them. */
const settings = new FileHashes();

/**
 * The JavaScript of a TypeScript file: from the cache where neither the file nor its settings have changed, so that
 * TypeScript is loaded only after an edit.
 */
export async function transpileCached(file: string): Promise<string> {
  const text = readFileSync(file, 'utf8');
  const source = hashOf(text);
  const tsconfig = tsconfigAbove(dirname(file)) ?? null;
  for (const entry of entriesFor(file, source))
    if (entry.tsconfig === tsconfig && settings.areAll(entry.settings)) return entry.code;
  const { transpile } = await import('./transpile.js');
  const { code, shape, settings: files } = transpile(file, text, tsconfig ?? undefined);
  const hashes = Object.fromEntries(files.map((path) => [path, settings.hashOf(path) ?? '']));
  const entry: Entry = {
    format: FORMAT,
    compiler: identity(),
    file,
    source,
    tsconfig,
    settings: hashes,
    shape: hashOf(shape),
    code,
  };
  await writeEntry(keyOf(file), entry);
  return code;
}

/** The hash of the shape of a source whose content has the hash, if it has been loaded since it was changed. */
export function notedShape(file: string, source: string): string | undefined {
  return entriesFor(file, source).next().value?.shape;
}

/** The entries of a file that were made from a source by this compiler. */
function* entriesFor(file: string, source: string): Generator<Entry, undefined> {
  for (const entry of entriesOf(keyOf(file))) {
    if (!isEntry(entry) || entry.format !== FORMAT || entry.compiler !== identity()) continue;
    if (entry.file === file && entry.source === source) yield entry;
  }
}

function identity(): string {
  return compilerOf(import.meta.url).identity;
}

function keyOf(file: string): CacheKey {
  return { file, ending: '.run.json' };
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { settings: hashes, shape, code } = value as Partial<Entry>;
  return typeof hashes === 'object' && typeof shape === 'string' && typeof code === 'string';
}

function tsconfigAbove(folder: string): string | undefined {
  const path = join(folder, 'tsconfig.json');
  if (existsSync(path)) return path;
  return folder === dirname(folder) ? undefined : tsconfigAbove(dirname(folder));
}
