import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packageRoot } from './package-root.js';

/** What an entry is about: a file, and the ending of the entry's own name, which differs by what is kept of it. */
export interface CacheKey {
  /** The absolute path of the file. */
  readonly file: string;
  /** Such as `.json`. */
  readonly ending: string;
}

/**
 * The entries of a key, parsed, the preferred one first: that in `node_modules/.cache/adorn` of the package to which
 * the file belongs, then that in the system's folder for temporary files. One that cannot be read is left out.
 */
export function* entriesOf(key: CacheKey): Generator<unknown, void> {
  for (const folder of foldersFor(key.file)) {
    const entry = readJson(entryPath(folder, key));
    if (entry !== undefined) yield entry;
  }
}

/**
 * Writes an entry, in the folder for temporary files where the package's cannot be written. There is one entry for each
 * key, and each process removes the oldest beyond {@link MOST_ENTRIES} when it first writes to a folder: those of files
 * that have gone are among them.
 */
export async function writeEntry(key: CacheKey, entry: object): Promise<void> {
  const text = JSON.stringify(entry);
  for (const folder of foldersFor(key.file)) {
    if (!(await writeAtomically(folder, entryPath(folder, key), text))) continue;
    await pruneOnce(folder);
    return;
  }
}

const MOST_ENTRIES = 5_000;

const pruned = new Set<string>();

async function pruneOnce(folder: string): Promise<void> {
  if (pruned.has(folder)) return;
  pruned.add(folder);
  await pruneEntries(folder, MOST_ENTRIES);
}

/** Removes the oldest entries of a folder beyond a number. Another process may be doing the same. */
export async function pruneEntries(folder: string, most: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  if (names.length <= most) return;
  const dated = names.map((name) => {
    const path = join(folder, name);
    return { path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const oldest = dated.sort((one, other) => one.time - other.time).slice(0, names.length - most);
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })));
}

function foldersFor(file: string): string[] {
  const root = packageRoot(file);
  const fallback = join(tmpdir(), 'adorn-cache');
  return root === undefined ? [fallback] : [join(root, 'node_modules', '.cache', 'adorn'), fallback];
}

function entryPath(folder: string, { file, ending }: CacheKey): string {
  return join(folder, createHash('sha256').update(file).digest('hex').slice(0, 32) + ending);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Several processes may write one entry at the same time: each writes a temporary file and renames it. */
async function writeAtomically(folder: string, path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(draft, text);
    await rename(draft, path);
    return true;
  } catch {
    await rm(draft).catch(() => undefined);
    return false;
  }
}
