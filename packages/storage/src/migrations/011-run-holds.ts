import { sql } from 'kysely';

import type { Migration } from './migration.js';

/** How the process of an open run holds it. A run of an earlier version has no hold. */
export const runHolds: Migration = {
  name: '011-run-holds',
  async up(queries) {
    for (const column of ['held_at double precision', 'read_at double precision'])
      await sql`alter table adorn_runs add column ${sql.raw(column)}`.execute(queries);
    for (const column of ['is_released', 'is_cancel_requested'])
      await sql`alter table adorn_runs add column ${sql.raw(column)} integer not null default 0`.execute(
        queries,
      );
  },
};
