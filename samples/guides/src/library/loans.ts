import type { LocalDay } from '@adorn/schedules';
import Database from 'libsql';

export interface Loan {
  /** The same if the same loan is stored again. */
  readonly id: string;
  readonly tenant: string;
  readonly title: string;
  readonly cents: number;
  readonly at: Date;
}

export interface Sum {
  readonly tenant: string;
  readonly date: string;
  readonly cents: number;
}

/** The loans of all libraries: tables of the application, in a file of their own. */
export class Loans {
  private readonly database: Database.Database;

  constructor(path: string) {
    this.database = new Database(path);
    this.database.exec(`
      PRAGMA busy_timeout = 5000;
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS loans (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, title TEXT NOT NULL, cents INTEGER NOT NULL, lent_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS sums (
        tenant TEXT NOT NULL, occurrence TEXT NOT NULL, date TEXT NOT NULL, cents INTEGER NOT NULL,
        PRIMARY KEY (tenant, occurrence)
      ) STRICT;
    `);
  }

  /** Does nothing if the loan is stored. */
  add({ id, tenant, title, cents, at }: Loan): void {
    const statement = 'INSERT INTO loans VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING';
    this.database.prepare(statement).run(id, tenant, title, cents, at.getTime());
  }

  tenants(): string[] {
    const rows = this.database.prepare('SELECT DISTINCT tenant FROM loans ORDER BY tenant').all();
    return (rows as Pick<Loan, 'tenant'>[]).map(({ tenant }) => tenant);
  }

  /** Sums the loans of a tenant on a day. The same occurrence replaces its sum: it may come again. */
  storeSum(tenant: string, occurrence: string, { date, from, until }: LocalDay): void {
    const statement = `
      INSERT INTO sums
        SELECT ?, ?, ?, coalesce(sum(cents), 0) FROM loans WHERE tenant = ? AND lent_at >= ? AND lent_at < ?
      ON CONFLICT (tenant, occurrence) DO UPDATE SET cents = excluded.cents`;
    this.database.prepare(statement).run(tenant, occurrence, date, tenant, from.getTime(), until.getTime());
  }

  sums(): Sum[] {
    return this.database.prepare('SELECT tenant, date, cents FROM sums ORDER BY date, tenant').all() as Sum[];
  }

  close(): void {
    this.database.close();
  }
}
