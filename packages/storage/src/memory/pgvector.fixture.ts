import { createRequire } from 'node:module';

import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresQueryResult, sql } from 'kysely';

import type { Tables } from '../database/tables.js';
import { migrate } from '../migrations/migrate.js';
import type { MemoryDatabase } from './meaning-index.js';

/** What PGlite has pgvector from; not every installation has it. */
const PACKAGE = '@electric-sql/pglite-pgvector';

/** PGlite makes its database of WebAssembly anew each time. */
const A_MINUTE = 60_000;

type Extensions = NonNullable<PGliteOptions['extensions']>;
type OpenPgvector = (how: 'with pgvector' | 'without') => Promise<MemoryDatabase>;

/** Runs a suite on PGlite: the server that other specs start has no pgvector. */
export function describePgvector(suite: (open: OpenPgvector) => void): void {
  if (!isInstalled()) {
    describe.skip(`pgvector: ${PACKAGE} is not installed`, () =>
      suite(() => Promise.reject(new Error(PACKAGE))));
    return;
  }
  describe('pgvector', () => {
    let pglite: PGlite;
    let queries: Kysely<Tables>;
    beforeAll(async () => {
      const { vector } = (await import(PACKAGE)) as { vector: Extensions[string] };
      pglite = await PGlite.create({ extensions: { vector } });
      queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(pglite) }) });
      await migrate(queries, { flavour: 'postgres', place: 'PGlite' });
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

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

function databaseOf(queries: Kysely<Tables>): MemoryDatabase {
  return {
    flavour: 'postgres',
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
