import { sql } from 'kysely';

import type { Queries } from '../database/database.js';

/** Makes a database what it was before `007-runs`: without records of runs. */
export async function toVersion6(queries: Queries): Promise<void> {
  await sql`drop table adorn_runs`.execute(queries);
  await sql`alter table adorn_sessions drop column run_epoch`.execute(queries);
  await sql`alter table adorn_sessions drop column last_run`.execute(queries);
  await sql`alter table adorn_sessions add column epochs text not null default '{}'`.execute(queries);
  await sql`update adorn_schema set version = 6`.execute(queries);
}
