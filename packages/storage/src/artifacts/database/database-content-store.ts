import type { Database, Queries } from '../../database/database.js';
import { ContentStore, type StagedContent } from '../content-store.js';
import { Spool } from '../spool.js';

/** The size of a row in bytes: the part of a file held in memory while it is written or read. */
const PIECE = 524_288;

/** Stores content in rows of the database. Needs no set-up, and is shared by all machines. */
export class DatabaseContentStore extends ContentStore {
  readonly place: string;

  constructor(private readonly database: Database) {
    super();
    this.place = database.place;
  }

  async stage(content: AsyncIterable<Uint8Array>): Promise<StagedContent> {
    const { spool, address } = await Spool.of(content, this.place);
    return {
      address,
      size: spool.size,
      keep: (queries) => keep(queries, address, spool),
      release: () => spool.release(),
    };
  }

  async open(address: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const first = await this.piece(address, 0);
    return first && this.read(address, first);
  }

  async delete(address: string, queries: Queries): Promise<void> {
    await queries.deleteFrom('adorn_contents').where('address', '=', address).execute();
  }

  async *addresses(): AsyncGenerator<string> {
    const rows = await this.database.run((queries) =>
      queries.selectFrom('adorn_contents').select('address').where('piece', '=', 0).execute(),
    );
    for (const { address } of rows) yield address;
  }

  private async *read(address: string, first: Uint8Array): AsyncGenerator<Uint8Array> {
    let bytes: Uint8Array | undefined = first;
    for (let piece = 1; bytes; piece++) {
      yield bytes;
      bytes = await this.piece(address, piece);
    }
  }

  private async piece(address: string, piece: number): Promise<Uint8Array | undefined> {
    const row = await this.database.run((queries) =>
      queries
        .selectFrom('adorn_contents')
        .select('bytes')
        .where('address', '=', address)
        .where('piece', '=', piece)
        .executeTakeFirst(),
    );
    // libsql gives an ArrayBuffer where others give a Buffer.
    return row && new Uint8Array(row.bytes);
  }
}

/** Empty content has one empty piece. */
async function keep(queries: Queries, address: string, spool: Spool): Promise<void> {
  const kept = queries.selectFrom('adorn_contents').select('piece').where('address', '=', address).limit(1);
  if (await kept.executeTakeFirst()) return;
  let piece = 0;
  for await (const bytes of spool.size === 0 ? [Buffer.alloc(0)] : inPieces(spool.read())) {
    await queries.insertInto('adorn_contents').values({ address, piece, bytes }).execute();
    piece++;
  }
}

/** Splits bytes into pieces of equal size, except for the last. */
async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of content) {
    held = Buffer.concat([held, bytes]);
    for (; held.length >= PIECE; held = held.subarray(PIECE)) yield held.subarray(0, PIECE);
  }
  if (held.length > 0) yield held;
}
