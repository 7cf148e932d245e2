import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresQueryResult, sql } from 'kysely';

import type { Tables } from '../database/tables.js';
import { migrate } from '../migrations/migrate.js';
import type { MemoryDatabase } from './meaning-index.js';

/** PGlite makes its database of WebAssembly anew each time. */
const A_MINUTE = 60_000;

type OpenPgvector = (how: 'with pgvector' | 'without') => Promise<MemoryDatabase>;

/** Runs a suite on PGlite: the server that other specs start has no pgvector. */
export function describePgvector(suite: (open: OpenPgvector) => void): void {
  describe('pgvector', () => {
    let pglite: PGlite;
    let queries: Kysely<Tables>;
    beforeAll(async () => {
      pglite = await PGlite.create({ extensions: { vector } });
      queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(pglite) }) });
      await migrate(queries, { dialect: 'postgres', place: 'PGlite' });
    }, A_MINUTE);
    afterAll(() => pglite.close());
    suite(async (how) => {
      await sql`truncate adorn_memories cascade`.execute(queries);
      await (how === 'without' ? sql`drop extension if exists vector` : sql`create extension vector`).execute(
        queries,
      );
      return databaseOf(queries);
    });
  });
}

function databaseOf(queries: Kysely<Tables>): MemoryDatabase {
  return {
    dialect: 'postgres',
    run: (work) => work(queries),
    transaction: (work) => queries.transaction().execute(work),
    connection: () => Promise.resolve(undefined),
  };
}

/** The one connection that PGlite is. */
function poolOf(pglite: PGlite): PostgresPool {
  const client = {
    query: async (text: string, parameters: readonly unknown[]) => {
      const { rows, affectedRows = 0 } = await pglite.query(text, [...parameters]);
      return { command: 'SELECT', rows, rowCount: affectedRows } as PostgresQueryResult<never>;
    },
    release: () => undefined,
  };
  return { connect: () => Promise.resolve(client), end: () => pglite.close() } as unknown as PostgresPool;
}
