import { sql } from 'kysely';

import type { Migration } from './migration.js';

/**
 * On SQLite an event that is inserted moves its session on by itself, so that one statement appends it; PostgreSQL
 * says both in one statement anyway.
 */
export const countedEvents: Migration = {
  name: '005-counted-events',
  async up(queries, dialect) {
    if (dialect === 'postgres') return;
    await sql`
      create trigger adorn_events_counted after insert on adorn_events begin
        update adorn_sessions set next_seq = new.seq + 1, updated_at = new.timestamp
        where no = new.session_no and next_seq <= new.seq;
      end`.execute(queries);
  },
};
