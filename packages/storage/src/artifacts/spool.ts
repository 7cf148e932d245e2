import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { inContents } from './content-store.js';

/** The maximum number of bytes held in memory. */
const IN_MEMORY = 1_048_576;

/** A buffer for bytes until all have arrived and their address is known: in memory if they are few, else in a file. */
export class Spool {
  size = 0;
  private readonly hash = createHash('sha256');
  private pieces: Uint8Array[] = [];
  private folder: string | undefined;
  private file: FileHandle | undefined;

  private constructor(private readonly place: string) {}

  /** @param place named in the error if the disk is full */
  static async of(
    content: AsyncIterable<Uint8Array>,
    place: string,
  ): Promise<{ spool: Spool; address: string }> {
    const spool = new Spool(place);
    try {
      for await (const piece of content) await spool.add(piece);
      await spool.file?.close();
      return { spool, address: spool.hash.digest('hex') };
    } catch (error) {
      await spool.file?.close().catch(() => undefined);
      await spool.release();
      throw error;
    }
  }

  /** Reads from the start, each time it is called. */
  read(): AsyncIterable<Uint8Array> {
    if (this.folder === undefined) return inTurn(this.pieces);
    return createReadStream(join(this.folder, 'content')) as AsyncIterable<Uint8Array>;
  }

  /** The body of a request: content that fits in memory may be sent again if a request fails. */
  body(): Uint8Array | Readable {
    return this.folder === undefined
      ? Buffer.concat(this.pieces)
      : createReadStream(join(this.folder, 'content'));
  }

  async release(): Promise<void> {
    this.pieces = [];
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }

  private async add(piece: Uint8Array): Promise<void> {
    this.hash.update(piece);
    this.size += piece.length;
    this.pieces.push(piece);
    if (this.size > IN_MEMORY) await inContents(this.place, () => this.toFile());
  }

  private async toFile(): Promise<void> {
    this.folder ??= await mkdtemp(join(tmpdir(), 'adorn-content-'));
    this.file ??= await open(join(this.folder, 'content'), 'wx', 0o600);
    for (const piece of this.pieces.splice(0)) await this.file.writeFile(piece);
  }
}

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
