import type { Database, Queries } from '../database/database.js';

/** One step of the tables. */
export interface Migration {
  readonly name: string;
  readonly up: (queries: Queries, dialect: Database['dialect']) => Promise<void>;
}
