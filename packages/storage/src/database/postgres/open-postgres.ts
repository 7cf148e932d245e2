import { type Dialect, PostgresDialect } from 'kysely';

/** How long to wait for a connection, in milliseconds. */
const CONNECT = 10_000;

export interface PostgresPoolOptions {
  /** How many connections at the most. Default: 10. */
  readonly poolSize?: number;
}

/** Opens no connection yet: the first statement does. */
export async function openPostgres(url: string, { poolSize = 10 }: PostgresPoolOptions): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT,
    application_name: 'adorn',
    types: {
      getTypeParser: (oid, format) => parserOf(oid) ?? (pg.types.getTypeParser(oid, format) as Parse),
    },
  });
  // A connection that breaks while nobody uses it is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}

type Parse = (text: string) => unknown;

/** The type of counts and of the numbers of rows. */
const BIGINT = 20;

/** None of those comes near what a number holds exactly. */
function parserOf(oid: number): Parse | undefined {
  return oid === BIGINT ? Number : undefined;
}
