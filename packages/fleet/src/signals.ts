import { Boundary } from '@adorn/core/backend';
import type { Client } from 'pg';

/** What the machines tell each other. A signal may get lost: it only makes faster what a look at the store finds, too. */
export abstract class Signals {
  private readonly listeners = new Set<(topic: string) => void>();

  abstract open(): Promise<void>;

  /** Tells the listeners of all machines. */
  abstract publish(topic: string): Promise<void>;

  abstract close(): Promise<void>;

  /** @returns a function that ends it */
  listen(listener: (topic: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  protected tell(topic: string): void {
    for (const listener of [...this.listeners]) listener(topic);
  }
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
}

const CHANNEL = 'adorn_signals';

/** Signals by LISTEN and NOTIFY on one connection of PostgreSQL, which is made again when it is lost. */
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

  /** One signal after another: a connection does one statement at a time. */
  publish(topic: string): Promise<void> {
    const published = this.last.then(async () => {
      if (this.isClosed) return;
      const client = await this.connected();
      await client.query('select pg_notify($1, $2)', [CHANNEL, topic]);
    });
    this.last = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.last;
    const client = await this.client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
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
    // Readers look into the store as well, so a signal that cannot be read is only late.
    const boundary = new Boundary(() => undefined);
    client.on(
      'notification',
      boundary.guard(({ payload = '' }: { readonly payload?: string | undefined }) => {
        this.tell(payload);
      }),
    );
    client.on(
      'error',
      boundary.guard(async () => {
        this.client = undefined;
        if (!this.isClosed) await this.connected().catch(() => undefined);
      }),
    );
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  }
}
