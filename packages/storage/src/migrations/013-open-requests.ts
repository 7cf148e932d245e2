import { sql } from 'kysely';

import type { Migration } from './migration.js';

/**
 * The open requests of all sessions, and which sessions have to be looked at for them. Sessions of an earlier version that have ever
 * asked anybody are looked at when requests are first listed.
 */
export const openRequests: Migration = {
  name: '013-open-requests',
  async up(queries) {
    await queries.schema
      .createTable('adorn_asking')
      .addColumn('session_no', 'bigint', (column) =>
        column.primaryKey().references('adorn_sessions.no').onDelete('cascade'),
      )
      .addColumn('touched_seq', 'integer', (column) => column.notNull())
      .addColumn('indexed_seq', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await queries.schema
      .createTable('adorn_open_requests')
      .addColumn('session_no', 'bigint', (column) =>
        column.notNull().references('adorn_asking.session_no').onDelete('cascade'),
      )
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('app', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'double precision', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('adorn_open_requests_id', ['session_no', 'id'])
      .execute();
    await queries.schema
      .createIndex('adorn_open_requests_age')
      .on('adorn_open_requests')
      .columns(['app', 'asked_at', 'user_id', 'session_id', 'id'])
      .execute();
    await sql`
      insert into adorn_asking (session_no, touched_seq)
      select no, next_seq from adorn_sessions where next_seq > 0 and no in (
        select session_no from adorn_events where body like '%"longRunningToolIds":["%'
      )`.execute(queries);
  },
};
