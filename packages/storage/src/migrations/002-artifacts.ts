import type { Migration } from './migration.js';

/** Files with their versions, and the content of those that are kept in the database itself. */
export const artifacts: Migration = {
  name: '002-artifacts',
  async up(queries, dialect) {
    await queries.schema
      .createTable('adorn_artifacts')
      .addColumn('folder', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('content', 'text')
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('adorn_artifacts_version', ['folder', 'name', 'version'])
      .execute();
    await queries.schema
      .createIndex('adorn_artifacts_content')
      .on('adorn_artifacts')
      .column('content')
      .execute();
    await queries.schema
      .createTable('adorn_contents')
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('piece', 'integer', (column) => column.notNull())
      .addColumn('bytes', dialect === 'sqlite' ? 'blob' : 'bytea', (column) => column.notNull())
      .addPrimaryKeyConstraint('adorn_contents_piece', ['address', 'piece'])
      .execute();
  },
};
