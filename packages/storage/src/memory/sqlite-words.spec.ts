import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';

import { Database } from '../database/database.js';
import { toVersion7 } from '../migrations/earlier-versions.fixture.js';
import { migrate } from '../migrations/migrate.js';
import { ADA, entry, textsOf } from './memory.fixture.js';
import { SqlMemoryService } from './sql-memory.service.js';

const BOB = { ...ADA, userId: 'bob' };
const folder = mkdtempSync(join(tmpdir(), 'adorn-words-'));
let database: Database;
let count = 0;

beforeEach(() => {
  database = new Database(join(folder, `${String(count++)}.db`));
});

afterEach(() => database.close());

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the word index of SQLite', () => {
  it('has a list of its own for each word of a user, so that a search walks no other', async () => {
    const memory = new SqlMemoryService(database);
    const users = ['ada', 'bob', 'eve'];
    for (const userId of users)
      await memory.addMemory({ ...ADA, userId }, [entry('My harbour.'), entry('A harbour.')]);

    expect(await longestList(database)).toBe(2);
    expect(await textsOf(memory, 'harbour')).toEqual(['A harbour.', 'My harbour.']);
  });

  it('gives no other user a place in its lists, whatever letters a text has', async () => {
    const memory = new SqlMemoryService(database);
    await memory.addMemory(ADA, [entry('Harbour.')]);
    const [term] = await termsOf(database);

    await memory.addMemory(BOB, [entry(`\u{1fae0} a\u{10d4a}${term!} ${term!} a\u{1e900}${term!}`)]);

    expect(await longestList(database)).toBe(1);
  });

  it('finds words of a new script', async () => {
    const memory = new SqlMemoryService(database);
    await memory.addMemory(ADA, [entry('\u{10d4a}\u{10d4b} one'), entry('two')]);

    expect(await textsOf(memory, '\u{10d4a}\u{10d4b}')).toEqual(['\u{10d4a}\u{10d4b} one']);
  });

  it('is built anew from the memories of a database of an earlier version', async () => {
    const memory = new SqlMemoryService(database);
    const many = Array.from({ length: 230 }, (_, index) => entry(`Boat ${String(index)}.`));
    await memory.addMemory(ADA, [entry('Der Ålesunder Hafen.'), ...many]);
    await memory.addMemory(BOB, [entry("Bob's boat.")]);
    await database.run(async (queries) => {
      await toVersion7(queries, 'sqlite');
      await sql`update adorn_memories set content = '{' where content like '%Boat 7.%'`.execute(queries);
    });

    await database.run((queries) => migrate(queries, database));

    expect(await memory.searchMemory(ADA, 'boat', { limit: 1_000 })).toHaveLength(229);
    expect(await textsOf(memory, 'ålesunder')).toEqual(['Der Ålesunder Hafen.']);
    expect(await textsOf(memory, 'boat', BOB)).toEqual(["Bob's boat."]);
    await new SqlMemoryService(database, { maxEntries: 1 }).addMemory(ADA, [entry('New.')]);
    expect(await textsOf(memory, 'boat hafen')).toEqual([]);
  });
});

/** The most memories that one word of the index has. */
async function longestList(of: Database): Promise<number | undefined> {
  return of.run(async (queries) => {
    await readTerms(queries);
    const { rows } = await sql<{ most: number }>`select max(doc) as most from temp.terms`.execute(queries);
    return rows[0]?.most;
  });
}

async function termsOf(of: Database): Promise<string[]> {
  return of.run(async (queries) => {
    await readTerms(queries);
    const { rows } = await sql<{ term: string }>`select term from temp.terms`.execute(queries);
    return rows.map(({ term }) => term);
  });
}

async function readTerms(queries: Parameters<Parameters<Database['run']>[0]>[0]): Promise<void> {
  await sql`
    create virtual table if not exists temp.terms using fts5vocab(main, adorn_memory_words, row)`.execute(
    queries,
  );
}
