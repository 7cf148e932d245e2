import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DerivedFile } from '../derive/derive-files.js';
import { newGlobalFiles, type ProjectSources } from '../program/project-sources.js';
import { packageRoot } from './run-compiler.js';

/** Raised when the form of an entry or of a record changes. */
const FORMAT = 4;

interface Entry extends DerivedFile {
  readonly format: number;
  readonly compiler: string;
  readonly file: string;
}

/**
 * Keeps what was derived from source files, in `node_modules/.cache/adorn` of the package they belong to, or in
 * the system's folder for temporary files where that cannot be written. An entry is good as long as every file it was
 * derived from, and the compiler, are the same, and no new file of the project adds to its types; one that cannot be read
 * is as good as none. Hundreds of small files are read when a runner is created in development: at once, since by
 * promises each would take ten times as long.
 */
export class DerivationCache {
  constructor(
    /** The identity of a compiler: its version and its build. */
    private readonly compiler: string,
  ) {}

  /** The valid cached records of the files. Shared dependencies are read once. */
  findAll(files: readonly string[]): Map<string, DerivedFile> {
    const state = new SourceState();
    const found = files.map((file) => [file, this.find(file, state)] as const);
    return new Map(found.filter((entry): entry is [string, DerivedFile] => entry[1] !== undefined));
  }

  /** Caches the records of a file, and the faults of declarations without one. */
  async keep(file: string, derived: DerivedFile): Promise<void> {
    const entry: Entry = { ...derived, format: FORMAT, compiler: this.compiler, file };
    for (const folder of foldersFor(file)) {
      if (await writeAtomically(folder, entryPath(folder, file), JSON.stringify(entry))) return;
    }
  }

  private find(file: string, state: SourceState): DerivedFile | undefined {
    for (const folder of foldersFor(file)) {
      const entry = readEntry(entryPath(folder, file));
      if (entry && this.isOurs(entry, file) && isFresh(entry, state)) return entry;
    }
    return undefined;
  }

  private isOurs(entry: Entry, file: string): boolean {
    return entry.format === FORMAT && entry.compiler === this.compiler && entry.file === file;
  }
}

/** The folders of entries, the preferred one first. */
function foldersFor(file: string): string[] {
  const root = packageRoot(file);
  const fallback = join(tmpdir(), 'adorn-cache');
  return root === undefined ? [fallback] : [join(root, 'node_modules', '.cache', 'adorn'), fallback];
}

function entryPath(folder: string, file: string): string {
  return join(folder, `${hashOf(file).slice(0, 32)}.json`);
}

function readEntry(path: string): Entry | undefined {
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  return ['dependencies', 'sources', 'classes', 'faults'].every((name) => {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    return typeof part === 'object' && part !== null;
  });
}

function isFresh({ dependencies, sources }: Entry, state: SourceState): boolean {
  return (
    Object.entries(dependencies).every(([path, hash]) => state.hashOf(path) === hash) &&
    state.newGlobalFiles(sources).every((path) => Object.hasOwn(dependencies, path))
  );
}

/** The files as they are now. Each is read, and each project searched, once. */
class SourceState {
  private readonly hashes = new Map<string, string | undefined>();
  private readonly searched = new Map<string, string[]>();

  /** Undefined for a file that cannot be read. */
  hashOf(path: string): string | undefined {
    if (!this.hashes.has(path)) this.hashes.set(path, contentHash(path));
    return this.hashes.get(path);
  }

  newGlobalFiles(sources: ProjectSources): string[] {
    const key = JSON.stringify(sources);
    const files = this.searched.get(key) ?? newGlobalFiles(sources);
    this.searched.set(key, files);
    return files;
  }
}

function contentHash(path: string): string | undefined {
  try {
    return hashOf(readFileSync(path));
  } catch {
    return undefined;
  }
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
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
