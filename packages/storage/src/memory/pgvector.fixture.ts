import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresQueryResult, sql } from 'kysely';

import type { Tables } from '../database/tables.js';
import { migrate } from '../migrations/migrate.js';
import type { MemoryDatabase } from './meaning-index.js';

/** The first run makes the database, which takes several seconds of processor time. */
const A_MINUTE = 60_000;

const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8')) as {
  readonly version: string;
};

/** The files of an empty database, as this version of PGlite makes them. */
const EMPTY_DATABASE = join('node_modules/.cache/pglite', `${version}.tar`);

type OpenPgvector = (how: 'with pgvector' | 'without') => Promise<MemoryDatabase>;

/** Runs a suite on PGlite: the server that other specs start has no pgvector. */
export function describePgvector(suite: (open: OpenPgvector) => void): void {
  describe('pgvector', () => {
    let pglite: PGlite;
    let queries: Kysely<Tables>;
    beforeAll(async () => {
      pglite = await openPglite();
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

async function openPglite(): Promise<PGlite> {
  const extensions = { vector };
  if (existsSync(EMPTY_DATABASE))
    return PGlite.create({ extensions, loadDataDir: new Blob([readFileSync(EMPTY_DATABASE)]) });
  const pglite = await PGlite.create({ extensions });
  await keepDatabase(await pglite.dumpDataDir('none'));
  return pglite;
}

async function keepDatabase(files: Blob): Promise<void> {
  const written = `${EMPTY_DATABASE}.${String(process.pid)}`;
  mkdirSync(dirname(EMPTY_DATABASE), { recursive: true });
  writeFileSync(written, Buffer.from(await files.arrayBuffer()));
  renameSync(written, EMPTY_DATABASE);
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
