import { Embedder } from '@adorn/core';
import { HashEmbedder } from '@adorn/testing';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { ExplainedDatabase } from '../database/query-plans.fixture.js';
import { toVersion8 } from '../migrations/earlier-versions.fixture.js';
import { migrate } from '../migrations/migrate.js';
import { ADA, CapturingLogger, entry, said, textsOf } from './memory.fixture.js';
import { SqlMemoryService } from './sql-memory.service.js';

const logger = new CapturingLogger();

describeEachDatabase((_name, open) => {
  it('finds what shares no word with the query', async () => {
    const memory = new SqlMemoryService(await open(), { embedder: new HashEmbedder(), logger });
    await memory.addMemory(ADA, [entry('Boating.'), entry('Trams.')]);

    expect(await textsOf(memory, 'boats')).toEqual(['Boating.']);
  });

  it('finds no less than it is told to', async () => {
    const memory = new SqlMemoryService(await open(), { embedder: new HashEmbedder(), logger });
    await memory.addMemory(ADA, [entry('Boating.'), entry('Many boats.')]);

    const found = await memory.searchMemory(ADA, 'boats', { minScore: 0.99 });

    expect(found).toEqual([entry('Many boats.')]);
  });

  it('embeds each text once', async () => {
    const embedder = new HashEmbedder();
    const memory = new SqlMemoryService(await open(), { embedder, logger });
    const events = Array.from({ length: 120 }, (_, index) => said(`Harbour ${String(index)}.`));

    await memory.addEvents(ADA, events);
    await memory.addEvents(ADA, [...events, said('Boats.')]);

    expect(embedder.embedded).toHaveLength(121);
  });

  it('keeps memories whose embedder fails, and makes up for it when it is back', async () => {
    const database = await open();
    const warned = new CapturingLogger();
    const down = new SqlMemoryService(database, { embedder: new BrokenEmbedder(), logger: warned });
    await down.addMemory(ADA, [entry('Boating in Oslo.')]);

    expect(await textsOf(down, 'oslo')).toEqual(['Boating in Oslo.']);
    expect(warned.warnings).toEqual([
      'Memories were kept without their meaning, which is made up for later.',
      'Memory was searched by words alone, because the query could not be embedded.',
    ]);

    const back = new SqlMemoryService(database, { embedder: new HashEmbedder(), logger });
    expect(await textsOf(back, 'boats')).toEqual(['Boating in Oslo.']);
  });

  it('takes an embedder that gives other than it says for one that fails', async () => {
    const warned = new CapturingLogger();
    const memory = new SqlMemoryService(await open(), { embedder: new LyingEmbedder(), logger: warned });

    await memory.addMemory(ADA, [entry('Boats.')]);

    expect(warned.warnings).toHaveLength(1);
    expect(await textsOf(memory, 'boats')).toEqual(['Boats.']);
  });

  it.each([
    { name: 'other', dimensions: 256 },
    { name: 'hash', dimensions: 64 },
  ])(
    'never compares vectors of another embedder: they are made anew for $name/$dimensions',
    async (other) => {
      const database = await open();
      await new SqlMemoryService(database, { embedder: new HashEmbedder(), logger }).addMemory(ADA, [
        entry('Boating.'),
      ]);
      const embedder = new HashEmbedder(other);

      expect(await textsOf(new SqlMemoryService(database, { embedder, logger }), 'boats')).toEqual([
        'Boating.',
      ]);

      expect(embedder.embedded).toEqual(['boats', 'Boating.']);
    },
  );

  it('embeds the memories of a database of an earlier version once', async () => {
    const database = await open();
    const embedder = new HashEmbedder();
    const memory = new SqlMemoryService(database, { embedder, logger });
    await memory.addMemory(ADA, [entry('Boating.')]);
    await new SqlMemoryService(database).addMemory(ADA, [entry('Trams.')]);
    await database.run(toVersion8);
    await database.run((queries) => migrate(queries, database));

    await memory.addMemory(ADA, [entry('Rain.')]);

    expect(embedder.embedded).toEqual(['Boating.', 'Rain.', 'Trams.']);
    expect(await textsOf(memory, 'boats')).toEqual(['Boating.']);
  });

  it.each([230, 100])('embeds each of %p memories that were added without an embedder', async (count) => {
    const database = await open();
    const embedder = new HashEmbedder();
    const many = Array.from({ length: count }, (_, index) => entry(`Boat ${String(index)}.`));
    await new SqlMemoryService(database).addMemory(ADA, many);
    await new SqlMemoryService(database).addMemory({ ...ADA, userId: 'bob' }, many);

    await new SqlMemoryService(database, { embedder, logger }).addMemory(ADA, [entry('New.')]);

    expect(embedder.embedded[0]).toBe('New.');
    expect(new Set(embedder.embedded).size).toBe(count + 1);
    expect(embedder.embedded).toHaveLength(count + 1);
  });

  it('forgets the vectors of what it forgets', async () => {
    const database = await open();
    const memory = new SqlMemoryService(database, { embedder: new HashEmbedder(), maxEntries: 1, logger });

    await memory.addMemory(ADA, [entry('Boating.', { timestamp: 1 })]);
    await memory.addMemory(ADA, [entry('Trams.', { timestamp: 2 })]);

    expect(await textsOf(memory, 'boats')).toEqual([]);
    const kept = await database.run((queries) =>
      queries.selectFrom('adorn_memory_vectors').select('memory_no').execute(),
    );
    expect(kept).toHaveLength(1);
  });

  it('finds a text without words, or half a letter, no less by its other words', async () => {
    const memory = new SqlMemoryService(await open(), { embedder: new HashEmbedder(), logger });

    await memory.addMemory(ADA, [entry('🚀'), entry('Boats \ud800.')]);

    expect(await textsOf(memory, 'boats')).toEqual(['Boats \ud800.']);
  });
});

describe('on SQLite', () => {
  it('reads what is due by an index of it, also after another embedder', async () => {
    const database = new ExplainedDatabase();
    const words = new SqlMemoryService(database);
    const older = new SqlMemoryService(database, { embedder: new HashEmbedder({ name: 'a' }), logger });
    await words.addMemory(ADA, [entry('Boating.'), entry('Trams.')]);
    await older.addMemory(ADA, [entry('Rain.')]);
    const memory = new SqlMemoryService(database, { embedder: new HashEmbedder(), logger });

    const plans = await database.plansOf(() => memory.addMemory(ADA, [entry('Snow.')]), 'adorn_memories');

    const due = plans.filter((step) => step.includes('embedder'));
    expect(new Set(due)).toEqual(
      new Set(
        ['<', '>'].map(
          (range) =>
            `SEARCH adorn_memories USING INDEX adorn_memories_embedder (app=? AND user_id=? AND embedder${range}?)`,
        ),
      ),
    );
    expect(plans.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    await database.close();
  });
});

class BrokenEmbedder extends HashEmbedder {
  override embed(): Promise<number[][]> {
    return Promise.reject(new Error('The embedder is away.'));
  }
}

class LyingEmbedder extends Embedder {
  readonly name = 'liar';
  readonly dimensions = 3;

  async embed(): Promise<number[][]> {
    return [[1, 2]];
  }
}
