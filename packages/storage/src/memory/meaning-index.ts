import { AdornError, type Embedder, type Logger } from '@adorn/core';
import { composedKey, type EmbeddingPurpose } from '@adorn/core/backend';
import { type Selectable, sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';
import type { MemoriesTable } from '../database/tables.js';
import { fromRow, type Owner, textOf } from './memory-row.js';
import { arrayOf, hasPgvector, postgresPlainVectors, postgresVectors } from './postgres-vectors.js';
import { hasSqliteVec, sqliteVectors } from './sqlite-vectors.js';
import { dotProduct, fromStored, toBytes, toUnitLength, type VectorSearch } from './vectors.js';

type MemoryRow = Selectable<MemoriesTable>;

/** How many texts are embedded at a time. */
const TOGETHER = 100;

/** Finds memories by meaning. If the embedder fails, it logs a warning, and the search uses words only. */
export class MeaningIndex {
  private readonly key: string;
  private hasWarned = false;

  constructor(
    private readonly database: MemoryDatabase,
    private readonly embedder: Embedder,
    private readonly logger: Logger,
  ) {
    this.key = embedderKey(embedder);
  }

  /** Embeds memories without a vector of this embedder, newest first. Failures are retried later. */
  async fill(owner: Owner, batches = Infinity): Promise<void> {
    try {
      for (let batch = 0; batch < batches; batch++) {
        if ((await this.fillSome(owner)) < TOGETHER) return;
      }
    } catch (error) {
      this.tell('Memories were kept without their meaning, which is made up for later.', error);
    }
  }

  /** Empty if the embedder fails. */
  async find(owner: Owner, query: string, limit: number, minScore?: number): Promise<number[]> {
    const vector = await this.vectorOf(query);
    if (!vector) return [];
    await this.fill(owner, 1);
    const search = await this.search();
    const wanted = { owner, embedder: this.key, vector, minScore: minScore ?? this.embedder.minScore, limit };
    return this.database.run((queries) => search(queries, wanted));
  }

  private async vectorOf(query: string): Promise<number[] | undefined> {
    try {
      return (await embedTexts(this.embedder, [query], 'query'))[0];
    } catch (error) {
      this.tell('Memory was searched by words alone, because the query could not be embedded.', error);
      return undefined;
    }
  }

  /** @returns how many there were to do */
  private async fillSome(owner: Owner): Promise<number> {
    const due = await this.database.run((queries) => this.withoutVector(queries, owner));
    if (due.length === 0) return 0;
    const texts = due.map((row) => textOf(fromRow(row).content));
    const vectors = await embedTexts(this.embedder, texts, 'document');
    const kept = due.map(({ no }, index) => ({ no, vector: vectors[index] ?? [] }));
    const keep = this.database.dialect === 'sqlite' ? keepInSqlite : keepInPostgres;
    await this.database.transaction((queries) => keep(queries, this.key, kept));
    return due.length;
  }

  /** Memories without a vector come first, before those with a vector of another embedder. */
  private async withoutVector(queries: Queries, { app, user_id: userId }: Owner): Promise<MemoryRow[]> {
    const due: MemoryRow[] = [];
    for (const range of ['<', '>'] as const) {
      const rows = await queries
        .selectFrom('adorn_memories')
        .selectAll()
        .where('app', '=', app)
        .where('user_id', '=', userId)
        .where('embedder', range, this.key)
        .orderBy('embedder')
        .orderBy('no', 'desc')
        .limit(TOGETHER - due.length)
        .execute();
      due.push(...rows);
      if (due.length === TOGETHER) break;
    }
    return due;
  }

  private async search(): Promise<VectorSearch> {
    const connection = await this.database.connection();
    if (connection) {
      if (await hasSqliteVec(connection)) return sqliteVectors;
      this.warnOfMissing('sqlite-vec');
      return comparedVectors;
    }
    if (await this.database.run(hasPgvector)) return postgresVectors;
    this.warnOfMissing('pgvector ("create extension vector")');
    return postgresPlainVectors;
  }

  private warnOfMissing(missing: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn('Vectors of memories are compared without an extension, which is slower.', { missing });
  }

  private tell(message: string, error: unknown): void {
    const said = error instanceof Error ? error.message : String(error);
    const code = AdornError.is(error) ? error.code : undefined;
    this.logger.warn(message, {
      embedder: this.embedder.name,
      error: said,
      ...(code !== undefined && { code }),
    });
  }
}

/** The database operations of memory. */
export type MemoryDatabase = Pick<Database, 'dialect' | 'run' | 'transaction' | 'connection'>;

/** Without sqlite-vec: reads the owner's vectors and compares them here. Slower, with the same result. */
const comparedVectors: VectorSearch = async (queries, { owner, embedder, vector, minScore, limit }) => {
  const rows = await queries
    .selectFrom('adorn_memories')
    .innerJoin('adorn_memory_vectors', 'memory_no', 'no')
    .select(['no', 'vector'])
    .where('app', '=', owner.app)
    .where('user_id', '=', owner.user_id)
    .where('embedder', '=', embedder)
    .execute();
  return rows
    .map((row) => ({ no: row.no, score: dotProduct(fromStored(row.vector), vector) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || b.no - a.no)
    .slice(0, limit)
    .map(({ no }) => no);
};

/** The maximum text length passed to an embedder: more than any embedder reads. */
const EMBEDDED = 8_000;

/** The key of an embedder's vectors: vectors of different embedders are not compared. */
function embedderKey({ name, dimensions }: Embedder): string {
  return composedKey(name, dimensions);
}

/**
 * Vectors of length one, in the order of the texts.
 *
 * @throws {TypeError} where the embedder gives other than it says; and what it throws itself
 */
async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
): Promise<number[][]> {
  const vectors = await embedder.embed(texts.map(wellFormed), purpose);
  const isSound = vectors.length === texts.length && vectors.every((vector) => isVectorOf(embedder, vector));
  if (isSound) return vectors.map(toUnitLength);
  throw new TypeError(
    `The embedder "${embedder.name}" did not return a vector of ${String(embedder.dimensions)} numbers for each of ` +
      `${String(texts.length)} texts. Correct its embed(), or its dimensions.`,
  );
}

function isVectorOf({ dimensions }: Embedder, vector: readonly unknown[]): boolean {
  return vector.length === dimensions && vector.every((value) => Number.isFinite(value));
}

/** Replaces lone surrogates, which cannot be sent; cutting a text may create one. */
function wellFormed(text: string): string {
  return Buffer.from(text.slice(0, EMBEDDED)).toString();
}

/** A unit vector of a memory. */
interface KeptVector {
  readonly no: number;
  readonly vector: readonly number[];
}

/**
 * Stores one vector per memory, and replaces that of another embedder. Skips memories deleted in the
 * meantime.
 */
async function keepInSqlite(
  queries: Queries,
  embedder: string,
  vectors: readonly KeptVector[],
): Promise<void> {
  for (const { no, vector } of vectors) {
    await sql`
      insert into adorn_memory_vectors (memory_no, vector)
      select no, ${toBytes(vector)} from adorn_memories where no = ${no}
      on conflict (memory_no) do update set vector = excluded.vector`.execute(queries);
    await sql`update adorn_memories set embedder = ${embedder} where no = ${no}`.execute(queries);
  }
}

/** Like `keepInSqlite`, in one statement for all vectors and one for all memories, to save round trips. */
async function keepInPostgres(
  queries: Queries,
  embedder: string,
  vectors: readonly KeptVector[],
): Promise<void> {
  const nos = vectors.map(({ no }) => no);
  const arrays = vectors.map(({ vector }) => arrayOf(vector));
  await sql`
    insert into adorn_memory_vectors (memory_no, vector)
    select no, given.vector::real[]
    from unnest(${nos}::bigint[], ${arrays}::text[]) as given (memory_no, vector)
    join adorn_memories on no = memory_no
    on conflict (memory_no) do update set vector = excluded.vector`.execute(queries);
  await sql`update adorn_memories set embedder = ${embedder} where no = any(${nos}::bigint[])`.execute(
    queries,
  );
}
