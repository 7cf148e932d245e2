import { type CreateTableBuilder, sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';

/** One step of the tables. */
export interface Migration {
  readonly name: string;
  readonly up: (queries: Queries, dialect: Database['dialect']) => Promise<void>;
}

/** A table whose rows are numbered as they come, by `no`. A number is never given twice. */
export function numberedTable<Name extends string>(
  queries: Queries,
  dialect: Database['dialect'],
  name: Name,
): CreateTableBuilder<Name, 'no'> {
  const table = queries.schema.createTable(name);
  if (dialect === 'sqlite') {
    return table.addColumn('no', 'integer', (column) => column.primaryKey().autoIncrement());
  }
  return table.addColumn('no', sql`bigint generated always as identity`, (column) => column.primaryKey());
}
