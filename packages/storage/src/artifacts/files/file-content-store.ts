import { createHash, randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { ContentDamagedError } from '../../errors/errors.js';
import { syncFolder } from '../../files/sync-folder.js';
import {
  ContentStore,
  eachInContents,
  inContents,
  isAddress,
  pathPartsOf,
  type StagedContent,
} from '../content-store.js';
import { makeFolderBelow, refuseLink } from './folder-below.js';

/** Links are not followed, and a pipe does not block. Windows has neither flag. */
const READ_ITSELF = constants.O_RDONLY | flag('O_NOFOLLOW') | flag('O_NONBLOCK');
/** Temporary files older than a day are no longer being written. */
const LEFT_OVER = 86_400_000;

/**
 * Stores content in files of a folder: `ab/cd/abcd…`. A file gets its name when it is complete and flushed to the
 * disk, and is never changed. Symbolic links inside the folder are refused.
 */
export class FileContentStore extends ContentStore {
  readonly place: string;
  private opening: Promise<string> | undefined;

  /** @param folder created if missing, accessible only by the user who runs the program */
  constructor(folder: string) {
    super();
    this.place = resolve(folder);
  }

  async stage(content: AsyncIterable<Uint8Array>): Promise<StagedContent> {
    return StagedFile.write(await this.root(), content);
  }

  async open(address: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = await this.find(address);
    return path === undefined ? undefined : eachInContents(this.place, this.read(address, path));
  }

  async delete(address: string): Promise<void> {
    const path = await this.find(address);
    if (path === undefined) return;
    await inContents(this.place, async () => {
      await rm(path, { force: true });
      await syncFolder(dirname(path));
    });
  }

  async *addresses(): AsyncGenerator<string> {
    const root = await this.root();
    for (const outer of await foldersIn(root)) {
      for (const inner of await foldersIn(join(root, outer))) {
        yield* (await entriesOf(join(root, outer, inner))).map(({ name }) => name).filter(isAddress);
      }
    }
  }

  override async removeLeftOvers(): Promise<void> {
    const folder = join(await this.root(), INCOMING);
    for (const { name } of await entriesOf(folder)) {
      const { mtimeMs } = await stat(join(folder, name));
      if (Date.now() - mtimeMs > LEFT_OVER) await rm(join(folder, name), { force: true });
    }
  }

  /** The path for an address, which may be any string. */
  private async find(address: string): Promise<string | undefined> {
    if (!isAddress(address)) throw new ContentDamagedError(this.place, address, 'has no address');
    const root = await this.root();
    const path = join(root, ...pathPartsOf(address));
    return inContents(this.place, async () => {
      if (!(await isThere(path))) return undefined;
      await refuseLink(root, dirname(path));
      return path;
    });
  }

  private async *read(address: string, path: string): AsyncGenerator<Uint8Array> {
    const file = await open(path, READ_ITSELF).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
      throw new ContentDamagedError(this.place, address, 'is a symbolic link');
    });
    try {
      if (!(await file.stat()).isFile()) throw new ContentDamagedError(this.place, address, 'is not a file');
      yield* file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>;
    } finally {
      await file.close();
    }
  }

  /** The folder's real path: links are allowed in the path to the folder, but not below it. */
  private root(): Promise<string> {
    this.opening ??= inContents(this.place, async () => {
      await mkdir(this.place, { recursive: true, mode: 0o700 });
      return realpath(this.place);
    }).catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }
}

function flag(name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number {
  return (constants as Readonly<Record<string, number | undefined>>)[name] ?? 0;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    },
  );
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.filter((entry) => entry.isDirectory() && entry.name.length === 2).map(({ name }) => name);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
}

/** The folder of files that are being written. */
const INCOMING = 'incoming';

/** A file that is complete and flushed to the disk, and has a temporary name. */
class StagedFile implements StagedContent {
  private constructor(
    private readonly root: string,
    private readonly path: string,
    readonly address: string,
    readonly size: number,
  ) {}

  /** @param root the real path of the store's folder */
  static async write(root: string, content: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const path = await inContents(root, async () =>
      join(await makeFolderBelow(root, [INCOMING]), randomUUID()),
    );
    const file = await inContents(root, () => open(path, 'wx', 0o600));
    try {
      const { address, size } = await writeAll(file, content, root);
      return new StagedFile(root, path, address, size);
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
  }

  /** Names the file by a hard link, which never replaces a file. An existing file has the same bytes. */
  keep(): Promise<void> {
    return inContents(this.root, async () => {
      const parts = pathPartsOf(this.address);
      const folder = await makeFolderBelow(this.root, parts.slice(0, 2));
      const name = join(folder, this.address);
      try {
        await link(this.path, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        await this.refuseOther(name);
      }
      await syncFolder(folder);
    });
  }

  release(): Promise<void> {
    return inContents(this.root, () => unlink(this.path));
  }

  /** Checks the type and size of an existing file; its bytes are verified when they are read. */
  private async refuseOther(name: string): Promise<void> {
    const found = await lstat(name);
    if (!found.isFile()) throw new ContentDamagedError(this.root, this.address, 'is not a file');
    if (found.size === this.size) return;
    const sizes = `${String(found.size)} bytes instead of ${String(this.size)}`;
    throw new ContentDamagedError(this.root, this.address, `has ${sizes}`);
  }
}

async function writeAll(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  place: string,
): Promise<Pick<StagedContent, 'address' | 'size'>> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of content) {
      hash.update(piece);
      size += piece.length;
      await inContents(place, () => file.writeFile(piece));
    }
    await inContents(place, () => file.sync());
  } finally {
    await file.close();
  }
  return { address: hash.digest('hex'), size };
}
