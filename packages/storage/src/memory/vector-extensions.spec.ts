/** @slow */

import { HashEmbedder } from '@adorn/testing';
import { sql } from 'kysely';

import { Database } from '../database/database.js';
import { libsqlDriver, type SqliteDriver } from '../database/sqlite/sqlite-driver.js';
import { describePgvector } from './pgvector.fixture.js';
import { ADA, CapturingLogger, entry, textsOf } from './memory.fixture.js';
import type { MemoryDatabase } from './meaning-index.js';
import { SqlMemoryService } from './sql-memory.service.js';

const COMPARED_SLOWLY = 'Vectors of memories are compared without an extension, which is slower.';

describe('sqlite-vec', () => {
  it('compares vectors where the driver can load it', async () => {
    const database = new Database(':memory:');

    expect(await rankingsOf(database)).toEqual({
      boats: ['Boats.', 'Boating.', 'The boatman.'],
      warnings: [],
    });
    const { rows } = await database.run((queries) =>
      sql<{ v: string }>`select vec_version() as v`.execute(queries),
    );
    expect(rows).toHaveLength(1);
    await database.close();
  });

  it.each<[string, SqliteDriver]>([
    ['loads no extensions', withoutExtensions],
    ['fails to load it', withFailingExtensions],
  ])(
    'is done without, with one warning and the same result, where the driver %s',
    async (_how, sqliteDriver) => {
      const database = new Database(':memory:', { sqliteDriver });

      expect(await rankingsOf(database)).toEqual({
        boats: ['Boats.', 'Boating.', 'The boatman.'],
        warnings: [COMPARED_SLOWLY],
      });
      await database.close();
    },
  );
});

describePgvector((open) => {
  it('compares vectors where it was created', async () => {
    const database = await open('with pgvector');

    expect(await rankingsOf(database)).toEqual({
      boats: ['Boats.', 'Boating.', 'The boatman.'],
      warnings: [],
    });
  });

  it('is done without, with one warning and the same result, where it was not', async () => {
    const database = await open('without');

    expect(await rankingsOf(database)).toEqual({
      boats: ['Boats.', 'Boating.', 'The boatman.'],
      warnings: [COMPARED_SLOWLY],
    });
  });
});

/** What is found by meaning, best first, and what was said about it. */
async function rankingsOf(database: MemoryDatabase) {
  const logger = new CapturingLogger();
  const memory = new SqlMemoryService(database, { embedder: new HashEmbedder(), logger });
  await memory.addMemory(
    ADA,
    ['Trams.', 'The boatman.', 'Boating.', 'Boats.'].map((text) => entry(text)),
  );
  await memory.addMemory({ ...ADA, userId: 'bob' }, [entry('Boats of Bob.')]);
  await textsOf(memory, 'boats');
  return { boats: await textsOf(memory, 'boats'), warnings: logger.warnings };
}

async function withoutExtensions(path: string) {
  const connection = await libsqlDriver(path);
  return {
    prepare: (text: string) => connection.prepare(text),
    exec: (text: string) => connection.exec(text),
    close: () => connection.close(),
  };
}

async function withFailingExtensions(path: string) {
  const connection = await withoutExtensions(path);
  return {
    ...connection,
    loadExtension: () => {
      throw new Error('not authorized');
    },
  };
}
