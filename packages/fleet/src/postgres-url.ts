import { rule } from '@adorn/core/backend';

/** The address of a database that several machines reach. A file of SQLite belongs to one machine. */
export const POSTGRES_URL = rule(
  (value) => typeof value === 'string' && /^postgres(ql)?:\/\//i.test(value),
  'Pass the address of a PostgreSQL, such as postgres://user@host/database; a fleet of one process has an InProcessQueue, and no url.',
);
