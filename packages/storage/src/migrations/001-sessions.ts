import { type ColumnDefinitionBuilder, sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';
import { type Migration, numberedTable } from './migration.js';

/** Conversations, their events, their state, and the requests that are asked in them. */
export const sessions: Migration = {
  name: '001-sessions',
  async up(queries, dialect) {
    await numberedTable(queries, dialect, 'adorn_sessions')
      .addColumn('app', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('title', 'text')
      .addColumn('next_seq', 'integer', (column) => column.notNull())
      .addColumn('state_version', 'integer', (column) => column.notNull())
      .addColumn('epochs', 'text', (column) => column.notNull())
      .addColumn('created_at', 'double precision', (column) => column.notNull())
      .addColumn('updated_at', 'double precision', (column) => column.notNull())
      .addUniqueConstraint('adorn_sessions_address', ['app', 'user_id', 'id'])
      .execute();
    await addEvents(queries);
    await addState(queries, dialect);
    await addRequests(queries);
  },
};

async function addEvents(queries: Queries): Promise<void> {
  await queries.schema
    .createTable('adorn_events')
    .addColumn('session_no', 'bigint', ofSession)
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('invocation_id', 'text', (column) => column.notNull())
    .addColumn('timestamp', 'double precision', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('adorn_events_place', ['session_no', 'seq'])
    .execute();
}

async function addState(queries: Queries, dialect: Database['dialect']): Promise<void> {
  await queries.schema
    .createTable('adorn_session_state')
    .addColumn('session_no', 'bigint', ofSession)
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('adorn_session_state_key', ['session_no', 'key'])
    .execute();
  await numberedTable(queries, dialect, 'adorn_scopes')
    .addColumn('address', 'text', (column) => column.notNull().unique())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  await queries.schema
    .createTable('adorn_scope_state')
    .addColumn('scope_no', 'bigint', (column) =>
      column.notNull().references('adorn_scopes.no').onDelete('cascade'),
    )
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('adorn_scope_state_key', ['scope_no', 'key'])
    .execute();
}

/** A second answer is written as the place -1, which the table refuses: in whatever order two come, one counts. */
async function addRequests(queries: Queries): Promise<void> {
  await queries.schema
    .createTable('adorn_requests')
    .addColumn('session_no', 'bigint', ofSession)
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('opened_seq', 'integer')
    .addColumn('answered_seq', 'integer')
    .addPrimaryKeyConstraint('adorn_requests_id', ['session_no', 'id'])
    .addCheckConstraint('adorn_requests_answered_once', sql`answered_seq is null or answered_seq >= 0`)
    .execute();
}

function ofSession(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('adorn_sessions.no').onDelete('cascade');
}
