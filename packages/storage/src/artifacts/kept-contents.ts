import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';
import type { ArtifactsTable } from '../database/tables.js';
import { ContentDamagedError } from '../errors/errors.js';
import { isReferredTo, isTaken } from './artifact-rows.js';
import type { ContentStore, StagedContent } from './content-store.js';

/** A version's row, and its content if it has any. */
export interface FoundVersion {
  readonly row: ArtifactsTable;
  readonly content?: AsyncIterable<Uint8Array>;
}

/** How a version with content is added, in one transaction. */
export interface NewVersion {
  /** Called before the bytes are stored. It throws if the version is not allowed. */
  readonly allow: (queries: Queries) => Promise<void>;
  /** Adds the row. */
  readonly insert: (queries: Queries, content: StagedContent) => Promise<number>;
}

/**
 * Keeps a content store and its rows consistent: content is stored before a row refers to it, and deleted after the
 * last row is gone, each time under a lock of that content.
 */
export class KeptContents {
  constructor(
    private readonly database: Database,
    readonly store: ContentStore,
  ) {}

  /** Stores bytes and adds the row that refers to them. A version that is not allowed leaves neither. */
  async save(bytes: AsyncIterable<Uint8Array>, { allow, insert }: NewVersion): Promise<number> {
    const staged = await this.store.stage(bytes);
    try {
      return await this.add(async (queries) => {
        await allow(queries);
        await this.lock(queries, staged.address);
        await staged.keep(queries);
        return insert(queries, staged);
      });
    } catch (error) {
      // A store may have the bytes already. What cannot be deleted now is left to `sweep`.
      await this.release([staged.address]).catch(() => undefined);
      throw error;
    } finally {
      await staged.release().catch(() => undefined);
    }
  }

  /** Retries until the version is added. Each refusal means that another version was added, so the retries end. */
  async add(insert: (queries: Queries) => Promise<number>): Promise<number> {
    for (;;) {
      try {
        return await this.database.transaction(insert);
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
  }

  /** The content of a row; undefined if the store has none. */
  async open(row: ArtifactsTable): Promise<FoundVersion | undefined> {
    if (row.content === null) return { row };
    const content = await this.store.open(row.content);
    const expected = { place: this.store.place, address: row.content, size: row.size };
    return content && { row, content: verifiedContent(content, expected) };
  }

  /** Deletes content to which no version refers. */
  async release(contents: readonly string[]): Promise<void> {
    for (const content of new Set(contents)) {
      await this.database.transaction(async (queries) => {
        await this.lock(queries, content);
        if (!(await isReferredTo(queries, content))) await this.store.delete(content, queries);
      });
    }
  }

  async sweep(): Promise<void> {
    await this.store.removeLeftOvers();
    for await (const content of this.store.addresses()) await this.release([content]);
  }

  /** Locks the content until the transaction ends. SQLite has one writer at a time anyway. */
  private async lock(queries: Queries, content: string): Promise<void> {
    if (this.database.dialect === 'sqlite') return;
    await sql`select pg_advisory_xact_lock(hashtextextended(${content}, 0))`.execute(queries);
  }
}

/** The properties of a content according to its row. */
interface ExpectedContent {
  readonly place: string;
  readonly address: string;
  readonly size: number;
}

/**
 * Yields the pieces of some content, and compares size and hash after the last piece. Throws instead of ending if
 * they differ.
 *
 * @throws {ContentDamagedError}
 */
async function* verifiedContent(
  content: AsyncIterable<Uint8Array>,
  { place, address, size }: ExpectedContent,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let seen = 0;
  for await (const piece of content) {
    hash.update(piece);
    seen += piece.length;
    yield piece;
  }
  if (seen !== size) {
    throw new ContentDamagedError(place, address, `has ${String(seen)} bytes instead of ${String(size)}`);
  }
  if (hash.digest('hex') !== address)
    throw new ContentDamagedError(place, address, 'differs from what was saved');
}
