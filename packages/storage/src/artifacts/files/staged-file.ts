import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { ContentDamagedError } from '../../errors/errors.js';
import { syncFolder } from '../../files/sync-folder.js';
import { inContents } from '../content-fault.js';
import { pathPartsOf, type StagedContent } from '../content-store.js';
import { makeFolderBelow } from './folder-below.js';

/** The folder of files that are being written. */
export const INCOMING = 'incoming';

/** A file that is whole and on the disk, and has no lasting name yet. */
export class StagedFile implements StagedContent {
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

  /** A name is given by a link, which never replaces a file: one that is there already has the same bytes. */
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

  /** Checks an existing file as far as this is free; its bytes are verified when they are read. */
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
