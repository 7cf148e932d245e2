import type { Migration } from './migration.js';

/** Which effects have happened, by keys of the domain. */
export const effects: Migration = {
  name: '012-effects',
  async up(queries) {
    await queries.schema
      .createTable('adorn_effects')
      .addColumn('app', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('claim_id', 'text', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_at', 'double precision', (column) => column.notNull())
      .addColumn('held_until', 'double precision', (column) => column.notNull())
      .addColumn('expires_at', 'double precision')
      .addColumn('result', 'text')
      .addColumn('done_at', 'double precision')
      .addPrimaryKeyConstraint('adorn_effects_key', ['app', 'scope', 'tool', 'key'])
      .execute();
    await queries.schema
      .createIndex('adorn_effects_expiry')
      .on('adorn_effects')
      .column('expires_at')
      .execute();
  },
};
