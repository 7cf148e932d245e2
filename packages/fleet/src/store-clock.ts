import type { Database } from '@adorn/storage';
import { sql } from 'kysely';

/**
 * Milliseconds since 1970 by the clock of the database, as an expression. Machines whose clocks differ, or step, agree on
 * what is due and on what has expired.
 */
export function storeNow({ dialect }: Database): ReturnType<typeof sql> {
  return dialect === 'postgres'
    ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`;
}
