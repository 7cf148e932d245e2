import { sql } from 'kysely';

import type { Migration } from './migration.js';

/**
 * Values of session keys that were written without an event, which a rewind reads. In a database of an earlier version
 * the present values are recorded, so that a rewind to any later event is exact.
 */
export const stateUpdates: Migration = {
  name: '006-state-updates',
  async up(queries) {
    await queries.schema
      .createTable('adorn_state_updates')
      .addColumn('session_no', 'bigint', (column) =>
        column.notNull().references('adorn_sessions.no').onDelete('cascade'),
      )
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text')
      .addPrimaryKeyConstraint('adorn_state_updates_key', ['session_no', 'seq', 'key'])
      .execute();
    await sql`
      insert into adorn_state_updates (session_no, seq, key, value)
      select session.no, session.next_seq, state.key, state.value
      from adorn_session_state as state join adorn_sessions as session on session.no = state.session_no
    `.execute(queries);
  },
};
