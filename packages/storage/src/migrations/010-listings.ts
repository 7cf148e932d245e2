import type { Migration } from './migration.js';

/** An index of a user's sessions in the order in which they are listed. */
export const listings: Migration = {
  name: '010-listings',
  async up(queries) {
    await queries.schema
      .createIndex('adorn_sessions_latest')
      .on('adorn_sessions')
      .columns(['app', 'user_id', 'updated_at', 'no'])
      .execute();
  },
};
