import {
  type Clock,
  ConsoleLogger,
  type Content,
  type Embedder,
  type Event,
  type Logger,
  MemoryService,
  type Session,
} from '@adorn/core';
import {
  assertName,
  assertScope,
  assertSessionKey,
  checkName,
  checkScope,
  type DeletedSession,
  type MemoryEntry,
  type MemoryScope,
  type Page,
  requireContents,
  type SearchMemoryOptions,
  type StoredMemory,
  SystemClock,
  effectiveEvents,
  checkOptions,
  LIMIT,
  OBJECT,
  type OptionRules,
} from '@adorn/core/backend';

import type { Queries } from '../database/database.js';
import { storedName } from '../database/stored-name.js';
import { MeaningIndex, type MemoryDatabase } from './meaning-index.js';
import {
  deleteMemoriesOf,
  entryOf,
  fromRow,
  type NewMemory,
  type Owner,
  ownerOf,
  textOf,
  toMemory,
} from './memory-row.js';
import { postgresWords } from './postgres-words.js';
import { sqliteWords } from './sqlite-words.js';
import { type WordIndex, wordsAsked } from './word-index.js';

export interface SqlMemoryOptions {
  /** Finds memories by meaning too. Default: none. */
  readonly embedder?: Embedder | undefined;
  /** The maximum number of memories per user and application; the oldest are dropped first. Default: 10,000. */
  readonly maxEntries?: number;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export const MEMORY_OPTIONS: OptionRules<SqlMemoryOptions> = {
  embedder: OBJECT,
  maxEntries: LIMIT,
  logger: OBJECT,
  clock: OBJECT,
};

/** The number of memories taken from each ranking before they are fused; also the maximum of a search. */
const DEPTH = 50;
const MOST = 10_000;

/** Memories in SQLite or PostgreSQL, searched by words and, with an embedder, by meaning. */
export class SqlMemoryService extends MemoryService {
  private readonly words: WordIndex;
  private readonly meaning: MeaningIndex | undefined;
  private readonly maxEntries: number;
  private readonly clock: Clock;

  constructor(
    private readonly database: MemoryDatabase,
    options: SqlMemoryOptions = {},
  ) {
    super();
    checkOptions('new SqlMemoryService', options, MEMORY_OPTIONS);
    const {
      embedder,
      maxEntries = 10_000,
      logger = new ConsoleLogger(),
      clock = new SystemClock(),
    } = options;
    this.words = database.dialect === 'sqlite' ? sqliteWords : postgresWords;
    this.meaning = embedder && new MeaningIndex(database, embedder, logger);
    this.maxEntries = maxEntries;
    this.clock = clock;
  }

  addSessionToMemory(session: Session): Promise<void> {
    return this.ofSession(session, () => this.addSaid(session, effectiveEvents(session.events), session.id));
  }

  addEvents(scope: MemoryScope, events: readonly Event[]): Promise<void> {
    return this.addSaid(scope, events);
  }

  async addMemory(scope: MemoryScope, entries: readonly MemoryEntry[]): Promise<void> {
    checkScope(scope);
    const owner = ownerOf(scope);
    const now = this.clock.now();
    await this.add(
      owner,
      requireContents(entries).map((entry) => toMemory(owner, entry, now)),
    );
  }

  override async deleteSession(session: DeletedSession): Promise<void> {
    assertSessionKey(session);
    await this.database.transaction((queries) => deleteMemoriesOf(queries, session));
  }

  override async deleteUser(scope: MemoryScope): Promise<number> {
    assertScope(scope);
    const { app, user_id: userId } = ownerOf(scope);
    const { numDeletedRows } = await this.database.run((queries) =>
      queries
        .deleteFrom('adorn_memories')
        .where('app', '=', app)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }

  override async deleteOlder(appName: string, before: number): Promise<number> {
    assertName('application name', appName);
    const { numDeletedRows } = await this.database.run((queries) =>
      queries
        .deleteFrom('adorn_memories')
        .where('app', '=', storedName(appName))
        .where('dated', '<', before)
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }

  override async listMemories(
    scope: MemoryScope,
    { limit = MOST, offset = 0 }: Page = {},
  ): Promise<StoredMemory[]> {
    assertScope(scope);
    const { app, user_id: userId } = ownerOf(scope);
    const rows = await this.database.run((queries) =>
      queries
        .selectFrom('adorn_memories')
        .selectAll()
        .where('app', '=', app)
        .where('user_id', '=', userId)
        .orderBy('no', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
    );
    return rows.map((row) => Object.freeze({ ...fromRow(row), id: String(row.no) }));
  }

  override async correctMemory(scope: MemoryScope, id: string, content: Content): Promise<boolean> {
    assertScope(scope);
    const owner = ownerOf(scope);
    const [corrected] = requireContents([{ content }]);
    if (!corrected) return false;
    const isThere = await this.database.transaction(async (queries) => {
      const no = await numberOf(queries, owner, id);
      if (no === undefined) return false;
      await queries.deleteFrom('adorn_memory_vectors').where('memory_no', '=', no).execute();
      await queries
        .updateTable('adorn_memories')
        .set({ content: JSON.stringify(corrected.content), embedder: '' })
        .where('no', '=', no)
        .execute();
      await this.words.replace(queries, owner, no, textOf(corrected.content));
      return true;
    });
    if (isThere) await this.meaning?.fill(owner);
    return isThere;
  }

  override async deleteMemory(scope: MemoryScope, id: string): Promise<boolean> {
    assertScope(scope);
    const owner = ownerOf(scope);
    return this.database.transaction(async (queries) => {
      const no = await numberOf(queries, owner, id);
      if (no !== undefined) await queries.deleteFrom('adorn_memories').where('no', '=', no).execute();
      return no !== undefined;
    });
  }

  async searchMemory(
    scope: MemoryScope,
    query: string,
    { limit = 10, minScore }: SearchMemoryOptions = {},
  ): Promise<MemoryEntry[]> {
    assertScope(scope);
    const asked = wordsAsked(query);
    if (asked.length === 0 || !(limit >= 1)) return [];
    const owner = ownerOf(scope);
    const depth = Math.min(Math.max(Math.ceil(limit), DEPTH), MOST);
    const rankings = await Promise.all([
      this.database.run((queries) => this.words.find(queries, owner, asked, depth)),
      this.meaning?.find(owner, query, depth, minScore) ?? [],
    ]);
    const found = fuseRanks(...rankings).slice(0, Math.min(limit, MOST));
    return this.database.run((queries) => load(queries, owner, found));
  }

  private async addSaid(scope: MemoryScope, events: readonly Event[], sessionId?: string): Promise<void> {
    checkScope(scope);
    for (const { id } of events) checkName('id of an event', id);
    const owner = ownerOf(scope);
    const now = this.clock.now();
    const memories = events.flatMap((event) => {
      const entry = entryOf(event, sessionId);
      return entry ? [toMemory(owner, entry, now, event.id)] : [];
    });
    await this.add(owner, memories);
  }

  /** Entries without text are skipped, because no search could find them. */
  private async add(owner: Owner, memories: readonly NewMemory[]): Promise<void> {
    const findable = memories.filter(({ text }) => text !== '');
    if (findable.length === 0) return;
    await this.database.transaction(async (queries) => {
      await this.words.hold(queries, owner);
      await this.words.insert(queries, owner, findable);
      await forgetOldest(queries, owner, this.maxEntries);
    });
    await this.meaning?.fill(owner);
  }
}

/** The number of a user's memory of that id; undefined if there is none. */
async function numberOf(queries: Queries, owner: Owner, id: string): Promise<number | undefined> {
  const no = Number(id);
  if (!Number.isSafeInteger(no) || String(no) !== id) return undefined;
  const found = queries.selectFrom('adorn_memories').select('no').where('no', '=', no);
  const owned = found.where('app', '=', owner.app).where('user_id', '=', owner.user_id);
  return (await owned.executeTakeFirst())?.no;
}

async function forgetOldest(queries: Queries, { app, user_id: userId }: Owner, kept: number): Promise<void> {
  if (kept === Infinity) return;
  const tooMany = queries
    .selectFrom('adorn_memories')
    .select('no')
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .orderBy('dated', 'desc')
    .orderBy('no', 'desc')
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(kept);
  await queries.deleteFrom('adorn_memories').where('no', 'in', tooMany).execute();
}

/** Loads memories in the order of their numbers, again filtered by owner. */
async function load(
  queries: Queries,
  { app, user_id: userId }: Owner,
  nos: readonly number[],
): Promise<MemoryEntry[]> {
  if (nos.length === 0) return [];
  const rows = await queries
    .selectFrom('adorn_memories')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('no', 'in', nos)
    .execute();
  const byNo = new Map(rows.map((row) => [row.no, row]));
  return nos.flatMap((no) => byNo.get(no) ?? []).map(fromRow);
}

/** Damps the lead of the first places; the value that the paper found good. */
const K = 60;

/**
 * Several rankings as one, by reciprocal rank: each gives 1 / (60 + place) to what it ranks. Scores that cannot be
 * compared are not needed for it.
 *
 * Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
 * SIGIR 2009.
 */
export function fuseRanks<Item>(...rankings: readonly (readonly Item[])[]): Item[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings) {
    for (const [index, item] of ranking.entries()) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (K + index + 1));
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}
