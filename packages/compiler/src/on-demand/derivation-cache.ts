import { type CacheKey, entriesOf, writeEntry } from '../cache/cache-folder.js';
import { FileHashes } from '../cache/file-hashes.js';
import type { DerivedFile } from '../derive/derive-files.js';
import { notedShape } from '../loader/transpile-cached.js';
import { newGlobalFiles, type ProjectSources } from '../program/project-sources.js';

/** Raised when the form of an entry or of a record changes. */
const FORMAT = 5;

interface Entry extends DerivedFile {
  readonly format: number;
  readonly compiler: string;
  readonly file: string;
}

/**
 * Keeps what was derived from source files, in `node_modules/.cache/adorn` of the package they belong to, or in
 * the system's folder for temporary files where that cannot be written. An entry is good as long as every file it was
 * derived from, or its shape, and the compiler are the same, and no new file of the project adds to its types; one that cannot be read
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
    await writeEntry(keyOf(file), entry);
  }

  private find(file: string, state: SourceState): DerivedFile | undefined {
    for (const entry of entriesOf(keyOf(file)))
      if (isEntry(entry) && this.isOurs(entry, file) && isFresh(entry, state)) return entry;
    return undefined;
  }

  private isOurs(entry: Entry, file: string): boolean {
    return entry.format === FORMAT && entry.compiler === this.compiler && entry.file === file;
  }
}

function keyOf(file: string): CacheKey {
  return { file, ending: '.json' };
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  return ['dependencies', 'shapes', 'sources', 'classes', 'faults'].every((name) => {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    return typeof part === 'object' && part !== null;
  });
}

function isFresh({ dependencies, shapes, sources }: Entry, state: SourceState): boolean {
  return (
    Object.entries(dependencies).every(([path, hash]) => state.isLike(path, hash, shapes[path])) &&
    state.newGlobalFiles(sources).every((path) => Object.hasOwn(dependencies, path))
  );
}

/** The files as they are now. Each is read, and each project searched, once. */
class SourceState {
  private readonly files = new FileHashes();
  private readonly searched = new Map<string, string[]>();

  /** True if the file has the hash, or the loader of `adorn run` has noted that it has the shape. */
  isLike(path: string, hash: string, shape: string | undefined): boolean {
    const current = this.files.hashOf(path);
    return (
      current === hash ||
      (shape !== undefined && current !== undefined && notedShape(path, current) === shape)
    );
  }

  newGlobalFiles(sources: ProjectSources): string[] {
    const key = JSON.stringify(sources);
    const files = this.searched.get(key) ?? newGlobalFiles(sources);
    this.searched.set(key, files);
    return files;
  }
}
