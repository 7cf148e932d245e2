import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { PoolClient } from 'pg';

/** How long a connection and each statement may take by default, in milliseconds. */
const TIMEOUT = 10_000;

export interface PostgresPoolOptions {
  /** How many connections at the most. Default: 10. */
  readonly poolSize?: number;
}

/** Opens no connection yet: the first statement does. */
export async function openPostgres(
  url: string,
  { poolSize = 10, timeout = TIMEOUT }: PostgresPoolOptions & { readonly timeout?: number },
): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: timeout,
    keepAlive: true,
    application_name: 'adorn',
    types: {
      getTypeParser: (oid, format) => parserOf(oid) ?? (pg.types.getTypeParser(oid, format) as Parse),
    },
  });
  // The pool replaces a broken connection. Its `error` event ends the process if nobody listens: the pool listens to
  // idle connections only, and tells that as an event of its own.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  const connect = async (): Promise<PostgresPoolClient> => new TimedClient(await pool.connect(), timeout);
  return new PostgresDialect({ pool: { connect, end: () => pool.end() } });
}

function ignore(): void {
  // The statement that was under way rejects with the same error.
}

type Query = PostgresPoolClient['query'];

/** A connection that is closed if a statement times out, so that a frozen server does not block callers. */
class TimedClient implements PostgresPoolClient {
  private fault: Error | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly timeout: number,
  ) {}

  readonly query = ((text: string, parameters: unknown[]) =>
    this.inTime(text, parameters)) as unknown as Query;

  release(): void {
    this.client.release(this.fault);
  }

  private async inTime(text: string, parameters: unknown[]): Promise<unknown> {
    const { client, timeout, fault } = this;
    if (fault !== undefined) throw fault;
    const timer = setTimeout(() => {
      this.giveUp();
    }, timeout);
    try {
      return await client.query(text, parameters);
    } catch (error) {
      throw this.explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private giveUp(): void {
    const words = `a statement had no answer within ${String(this.timeout)} ms`;
    this.fault = Object.assign(new Error(words), { code: 'ETIMEDOUT' });
    // The pool's own way to end a connection whose server may never answer.
    const { connection } = this.client as unknown as { connection: { stream: { destroy(): void } } };
    connection.stream.destroy();
  }

  /** A statement of a connection that was given up tells why, rather than that the connection ended. */
  private explain(error: unknown): Error {
    return this.fault ?? (error as Error);
  }
}

type Parse = (text: string) => unknown;

/** The type of counts and of the numbers of rows. */
const BIGINT = 20;

/** All of these fit in a number exactly. */
function parserOf(oid: number): Parse | undefined {
  return oid === BIGINT ? Number : undefined;
}
