import { Boundary } from '@adorn/core/backend';
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';

import { isNameRefused } from '../storage-fault.js';
import { ConnectionQueue, type Lane } from './connection-queue.js';
import { StatementNames } from './statement-names.js';

/** How long a connection and each statement may take by default, in milliseconds. */
const TIMEOUT = 10_000;

export interface PostgresPoolOptions {
  /** How many connections at the most. Default: 10. */
  readonly poolSize?: number;
  /**
   * How many runs may wait for a PostgreSQL connection before they begin; further ones are refused with `SERVER_BUSY`. Runs
   * that have begun wait as long as the server answers. Default: 10,000.
   */
  readonly maxWaitingRuns?: number;
}

/** How many runs may wait by default. */
const MAX_WAITING = 10_000;

/**
 * Opens no connection yet: the first statement does.
 *
 * @returns a dialect for each lane; they share the connections, and closing the lane `running` closes all
 */
export async function openPostgres(
  url: string,
  {
    poolSize = 10,
    maxWaitingRuns = MAX_WAITING,
    timeout = TIMEOUT,
  }: PostgresPoolOptions & { readonly timeout?: number },
): Promise<Readonly<Record<Lane, Dialect>>> {
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
  pool.on(
    'connect',
    new Boundary(ignore).guard((client: PoolClient) => client.on('error', ignore)),
  );
  const names = new StatementNames();
  const queue = new ConnectionQueue({ size: poolSize, maxEntering: maxWaitingRuns, timeout });
  const dialectOf = (lane: Lane): Dialect =>
    new PostgresDialect({
      pool: {
        async connect() {
          const client = await connect(pool, queue, lane);
          return new TimedClient(client, { queue, names, timeout });
        },
        end: () => (lane === 'running' ? pool.end() : Promise.resolve()),
      },
    });
  return {
    running: dialectOf('running'),
    beginning: dialectOf('beginning'),
    entering: dialectOf('entering'),
  };
}

/** The pool has a connection for each call that leaves the queue: its own queue stays empty. */
async function connect(pool: Pool, queue: ConnectionQueue, lane: Lane): Promise<PoolClient> {
  await queue.acquire(lane);
  try {
    return await pool.connect();
  } catch (error) {
    queue.noteFault(error as Error);
    queue.release();
    throw error;
  }
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
    private readonly options: {
      readonly queue: ConnectionQueue;
      readonly names: StatementNames;
      readonly timeout: number;
    },
  ) {}

  readonly query = ((text: string, parameters: unknown[]) =>
    this.inTime(text, parameters)) as unknown as Query;

  release(): void {
    this.client.release(this.fault);
    this.options.queue.release();
  }

  private async inTime(text: string, parameters: unknown[]): Promise<unknown> {
    const { fault } = this;
    const { queue, timeout } = this.options;
    if (fault) throw fault;
    const timer = setTimeout(() => {
      this.giveUp();
    }, timeout);
    try {
      const result = await this.send(text, parameters);
      queue.noteResponse();
      return result;
    } catch (error) {
      throw this.explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async send(text: string, parameters: unknown[]): Promise<unknown> {
    const { client } = this;
    const { names } = this.options;
    const name = names.nameOf(text);
    if (name === undefined) return client.query(text, parameters);
    const isInTransaction = client.getTransactionStatus() === 'T';
    try {
      return await client.query({ name, text, values: parameters });
    } catch (error) {
      if (!isNameRefused(error)) throw error;
      names.forget();
      // A transaction is aborted then: all of it is tried again.
      if (isInTransaction) throw error;
      return client.query(text, parameters);
    }
  }

  private giveUp(): void {
    const { queue, timeout } = this.options;
    const words = `a statement had no answer within ${String(timeout)} ms`;
    this.fault = Object.assign(new Error(words), { code: 'ETIMEDOUT' });
    queue.noteFault(this.fault);
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
