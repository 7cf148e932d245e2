import { type CreateTableBuilder, sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';

/** One step of the schema. */
export interface Migration {
  readonly name: string;
  readonly up: (queries: Queries, dialect: Database['dialect']) => Promise<void>;
}

/** Creates a table with an increasing number `no` for each row. A number is never reused. */
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
