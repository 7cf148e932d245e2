import type { Migration } from './migration.js';

/** Encrypted credentials of users. */
export const credentials: Migration = {
  name: '004-credentials',
  async up(queries) {
    await queries.schema
      .createTable('adorn_credentials')
      .addColumn('app', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('adorn_credentials_key', ['app', 'user_id', 'key'])
      .execute();
  },
};
