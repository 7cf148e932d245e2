import type { DerivedClass, DerivedTool } from '../derived-class.js';
import { packageRoot } from './declaration-site.js';

/** Raised when the form of an entry or of a record changes. */
const FORMAT = 3;

interface Entry extends DerivedFile {
  readonly format: number;
  readonly compiler: string;
  readonly file: string;
}

/**
 * Keeps what was derived from source files, in `node_modules/.cache/adorn` of the package they belong to, or in
 * the system's folder for temporary files where that cannot be written. An entry is good as long as every file it was
 * derived from, and the compiler, are the same; one that cannot be read is as good as none. Hundreds of small files are
 * read when a runner is created in development: at once, since by promises each would take ten times as long.
 */
export class DerivationCache {
  constructor(
    /** What tells one compiler from another: its version and its build. */
    private readonly compiler: string,
  ) {}

  /** What is known of the files and still good. What several of them were derived from is read once. */
  async findAll(files: readonly string[]): Promise<Map<string, DerivedFile>> {
    const hashes = new ContentHashes();
    const found = await Promise.all(
      files.map(async (file) => [file, await this.find(file, hashes)] as const),
    );
    return new Map(found.filter((entry): entry is [string, DerivedFile] => entry[1] !== undefined));
  }

  /** Keeps the records of a file, and the faults of what has none. */
  async keep(file: string, derived: DerivedFile): Promise<void> {
    const entry: Entry = { ...derived, format: FORMAT, compiler: this.compiler, file };
    for (const folder of await foldersFor(file)) {
      if (await writeAtomically(folder, await entryPath(folder, file), JSON.stringify(entry))) return;
    }
  }

  private async find(file: string, hashes: ContentHashes): Promise<DerivedFile | undefined> {
    for (const folder of await foldersFor(file)) {
      const entry = await readEntry(await entryPath(folder, file));
      if (entry !== undefined && this.isOurs(entry, file) && (await isFresh(entry, hashes))) return entry;
    }
    return undefined;
  }

  private isOurs(entry: Entry, file: string): boolean {
    return entry.format === FORMAT && entry.compiler === this.compiler && entry.file === file;
  }
}

/** Where entries may be, the preferred folder first. */
async function foldersFor(file: string): Promise<string[]> {
  const { tmpdir } = await import('node:os');
  const path = await import('node:path');
  const root = await packageRoot(file);
  const fallback = path.join(tmpdir(), 'adorn-cache');
  return root === undefined ? [fallback] : [path.join(root, 'node_modules', '.cache', 'adorn'), fallback];
}

async function entryPath(folder: string, file: string): Promise<string> {
  const path = await import('node:path');
  return path.join(folder, `${(await hashOf(file)).slice(0, 32)}.json`);
}

async function readEntry(path: string): Promise<Entry | undefined> {
  const { readFileSync } = await import('node:fs');
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  return ['dependencies', 'classes', 'faults'].every((name) => {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    return typeof part === 'object' && part !== null;
  });
}

async function isFresh({ dependencies }: Entry, hashes: ContentHashes): Promise<boolean> {
  const same = Object.entries(dependencies).map(async ([path, hash]) => (await hashes.of(path)) === hash);
  return (await Promise.all(same)).every(Boolean);
}

/** The hashes of files as they are now, each read once. */
class ContentHashes {
  private readonly known = new Map<string, Promise<string | undefined>>();

  /** Undefined for a file that cannot be read. */
  of(path: string): Promise<string | undefined> {
    const hash = this.known.get(path) ?? contentHash(path);
    this.known.set(path, hash);
    return hash;
  }
}

async function contentHash(path: string): Promise<string | undefined> {
  const { readFileSync } = await import('node:fs');
  try {
    return await hashOf(readFileSync(path));
  } catch {
    return undefined;
  }
}

async function hashOf(content: string | Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(content).digest('hex');
}

/** Several processes may write one entry at once: each writes a file of its own and puts it in place whole. */
async function writeAtomically(folder: string, path: string, text: string): Promise<boolean> {
  const { mkdir, rename, rm, writeFile } = await import('node:fs/promises');
  const { randomUUID } = await import('node:crypto');
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

/** Why the compiler could not derive something. */
export interface DerivationFault {
  readonly code: string;
  readonly message: string;
  /** A file that is not there yet may cure it, so it holds for this run of the compiler only. */
  readonly isUnresolved?: true;
}

/** What the compiler derived from one source file. */
export interface DerivedFile {
  /** By path, the hash of every file on which the records depend. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** By the name of the class. */
  readonly classes: Readonly<Record<string, DerivedClass>>;
  /** By the name of the function, or of the tool that it is the `run` of. */
  readonly functions?: Readonly<Record<string, DerivedTool>>;
  /** By the name of the class or function, why there is no record of it. */
  readonly faults: Readonly<Record<string, DerivationFault>>;
}

/** The compiler's answer, by path of the source file. */
export type DerivationAnswer = Readonly<Record<string, DerivedFile | { readonly error: DerivationFault }>>;
