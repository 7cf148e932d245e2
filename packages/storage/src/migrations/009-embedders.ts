import { sql } from 'kysely';

import type { Migration } from './migration.js';

/** The embedder of a memory's vector, in the memory, with an index by which memories without a vector of it are found. */
export const embedders: Migration = {
  name: '009-embedders',
  async up(queries) {
    await sql`alter table adorn_memories add column embedder text not null default ''`.execute(queries);
    await sql`
      update adorn_memories
      set embedder = (select vector.embedder from adorn_memory_vectors as vector where vector.memory_no = no)
      where no in (select memory_no from adorn_memory_vectors)`.execute(queries);
    await sql`alter table adorn_memory_vectors drop column embedder`.execute(queries);
    await queries.schema
      .createIndex('adorn_memories_embedder')
      .on('adorn_memories')
      .columns(['app', 'user_id', 'embedder', 'no desc'])
      .execute();
  },
};
