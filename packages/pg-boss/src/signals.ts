import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { SessionKey } from '@adorn/core';
import type { Client } from 'pg';

/** A session's address as a short text without anything of its names: for locks, channels and maps. */
export function digestOf({ appName, userId, sessionId }: SessionKey): string {
  return digestOfNames(appName, userId, sessionId);
}

/** 32 hexadecimal digits. */
export function digestOfNames(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32);
}

/** Milliseconds between two attempts at a lock that another worker holds. */
const LOCK_POLL_MS = 200;

/** What the machines tell each other. A signal may get lost: it only makes faster what a look at the store finds, too. */
export abstract class Signals {
  private readonly listeners = new Set<(topic: string) => void>();
  private readonly held = new Set<string>();

  abstract open(): Promise<void>;

  /** Tells the listeners of all machines. */
  abstract publish(topic: string): Promise<void>;

  abstract close(): Promise<void>;

  /** @returns a function that ends it */
  listen(listener: (topic: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Waits until no other worker has a lock. The lock of a process that dies is free at once.
   *
   * @returns a function that frees the lock
   */
  async lock(digest: string): Promise<() => Promise<void>> {
    while (this.held.has(digest) || !(await this.tryLock(digest))) await setTimeout(LOCK_POLL_MS);
    return async () => {
      await this.unlock(digest).catch(() => undefined);
      this.held.delete(digest);
    };
  }

  protected tell(topic: string): void {
    for (const listener of [...this.listeners]) listener(topic);
  }

  /** A lock of PostgreSQL can be taken twice on one connection, so the process keeps its own account. */
  private async tryLock(digest: string): Promise<boolean> {
    this.held.add(digest);
    const isFree = await this.acquire(digest).catch((error: unknown) => {
      this.held.delete(digest);
      throw error;
    });
    if (!isFree) this.held.delete(digest);
    return isFree;
  }

  protected abstract acquire(digest: string): Promise<boolean>;
  protected abstract unlock(digest: string): Promise<void>;
}

/** Signals within one process. */
export class LocalSignals extends Signals {
  open(): Promise<void> {
    return Promise.resolve();
  }

  publish(topic: string): Promise<void> {
    this.tell(topic);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  protected acquire(): Promise<boolean> {
    return Promise.resolve(true);
  }

  protected unlock(): Promise<void> {
    return Promise.resolve();
  }
}

const CHANNEL = 'adorn_signals';

/** Signals by LISTEN and NOTIFY, and advisory locks, on one connection of PostgreSQL, which is made again when it is lost. */
export class PostgresSignals extends Signals {
  private client: Promise<Client> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly url: string) {
    super();
  }

  async open(): Promise<void> {
    await this.connected();
  }

  async publish(topic: string): Promise<void> {
    await this.query('select pg_notify($1, $2) as done', [CHANNEL, topic]);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.last;
    const client = await this.client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  protected async acquire(digest: string): Promise<boolean> {
    return this.query('select pg_try_advisory_lock($1::bigint) as done', [lockOf(digest)]);
  }

  protected async unlock(digest: string): Promise<void> {
    await this.query('select pg_advisory_unlock($1::bigint) as done', [lockOf(digest)]);
  }

  /** One statement after another: a connection does one at a time. */
  private query(text: string, values: readonly string[]): Promise<boolean> {
    const query = async (): Promise<boolean> => {
      const client = await this.connected();
      const found = await client.query<{ done: unknown }>(text, [...values]);
      return found.rows[0]?.done === true;
    };
    const queried = this.last.then(query);
    this.last = queried.catch(() => undefined);
    return queried;
  }

  private connected(): Promise<Client> {
    return (this.client ??= this.connect().catch((error: unknown) => {
      this.client = undefined;
      throw error;
    }));
  }

  private async connect(): Promise<Client> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: this.url, keepAlive: true });
    client.on('notification', ({ payload = '' }) => {
      this.tell(payload);
    });
    client.on('error', () => {
      this.client = undefined;
      if (!this.isClosed) void this.connected().catch(() => undefined);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  }
}

/** The first 64 bits of a digest, as PostgreSQL's signed number. */
function lockOf(digest: string): string {
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString();
}
