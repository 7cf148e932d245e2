import type { ColumnDefinitionBuilder } from 'kysely';

import { type Migration, numberedTable } from './migration.js';

/** What was sent to sessions and is not in their logs yet. */
export const mail: Migration = {
  name: '014-mail',
  async up(queries, dialect) {
    await numberedTable(queries, dialect, 'adorn_mail')
      .addColumn('session_no', 'bigint', ofSession)
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('refusal', 'text')
      .addUniqueConstraint('adorn_mail_id', ['session_no', 'id'])
      .execute();
  },
};

function ofSession(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('adorn_sessions.no').onDelete('cascade');
}
