import { joinText } from '../../events/content-parts.js';
import { requireContents } from '../../events/read-content.js';
import type { Event } from '../../events/event.js';
import type { Content } from '../../events/genai-types.js';
import type { Session } from '../../events/session.js';
import {
  frozenJson,
  present,
  assertScope,
  checkName,
  checkScope,
  composedKey,
  composedParts,
} from '@adorn/schema';
import { effectiveEvents } from '../../log/effective-events.js';
import type { DeletedSession, Page } from '../sessions/session.service.js';
import {
  type MemoryEntry,
  type MemoryScope,
  MemoryService,
  type SearchMemoryOptions,
  type StoredMemory,
} from './memory.service.js';
import { stemOf } from './stem-of.js';

/** Stores memories in the process. A search compares words and characters. */
export class InMemoryMemoryService extends MemoryService {
  private readonly shelves = new Map<string, Map<string, MemoryEntry>>();
  private added = 0;
  /** In seconds since 1970. */
  private readonly addedAt = new WeakMap<MemoryEntry, number>();

  async addSessionToMemory(session: Session): Promise<void> {
    await this.ofSession(session, async () =>
      this.addSaid(session, effectiveEvents(session.events), session.id),
    );
  }

  async addEvents(scope: MemoryScope, events: readonly Event[]): Promise<void> {
    this.addSaid(scope, events);
  }

  async addMemory(scope: MemoryScope, entries: readonly MemoryEntry[]): Promise<void> {
    checkScope(scope);
    const kept = requireContents(entries);
    const shelf = this.shelf(scope);
    for (const entry of kept) this.put(shelf, `memory ${String(this.added++)}`, frozenJson(entry));
  }

  override async deleteSession({ appName, userId, sessionId, eventIds }: DeletedSession): Promise<void> {
    const shelf = this.shelf({ appName, userId });
    for (const id of eventIds) shelf.delete(`event ${id}`);
    for (const [key, entry] of shelf) if (entry.sessionId === sessionId) shelf.delete(key);
  }

  override async deleteUser(scope: MemoryScope): Promise<number> {
    assertScope(scope);
    const { size } = this.shelf(scope);
    this.shelves.delete(composedKey(scope.appName, scope.userId));
    return size;
  }

  override async deleteOlder(appName: string, before: number): Promise<number> {
    let count = 0;
    for (const [address, shelf] of this.shelves) {
      if (composedParts(address)[0] !== appName) continue;
      for (const [id, entry] of shelf) {
        const { timestamp = this.addedAt.get(entry) ?? 0 } = entry;
        if (timestamp < before && shelf.delete(id)) count++;
      }
    }
    return count;
  }

  override async listMemories(scope: MemoryScope, { limit, offset = 0 }: Page = {}): Promise<StoredMemory[]> {
    assertScope(scope);
    const all = [...this.shelf(scope)].reverse().map(([id, entry]) => Object.freeze({ ...entry, id }));
    return all.slice(offset, limit === undefined ? undefined : offset + limit);
  }

  override async correctMemory(scope: MemoryScope, id: string, content: Content): Promise<boolean> {
    assertScope(scope);
    const [corrected] = requireContents([{ content }]);
    const shelf = this.shelf(scope);
    const entry = shelf.get(id);
    if (!entry || !corrected) return false;
    this.put(shelf, id, frozenJson({ ...entry, ...corrected }));
    return true;
  }

  override async deleteMemory(scope: MemoryScope, id: string): Promise<boolean> {
    assertScope(scope);
    return this.shelf(scope).delete(id);
  }

  async searchMemory(
    scope: MemoryScope,
    query: string,
    { limit = 10 }: SearchMemoryOptions = {},
  ): Promise<MemoryEntry[]> {
    assertScope(scope);
    const wanted = new TextQuery(query);
    const found = [...this.shelf(scope).values()]
      .map((entry) => ({ entry, score: wanted.score(joinText(entry.content)) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return found.slice(0, Math.max(0, limit)).map(({ entry }) => entry);
  }

  private addSaid(scope: MemoryScope, events: readonly Event[], sessionId?: string): void {
    checkScope(scope);
    for (const { id } of events) checkName('id of an event', id);
    for (const event of events) this.addEvent(scope, event, sessionId);
  }

  private addEvent(scope: MemoryScope, event: Event, sessionId?: string): void {
    if (!event.content || event.text === '') return;
    const { content, author, timestamp } = event;
    const shelf = this.shelf(scope);
    // One that was corrected stays so.
    if (!shelf.has(`event ${event.id}`))
      this.put(shelf, `event ${event.id}`, Object.freeze(present({ content, author, timestamp, sessionId })));
  }

  private put(shelf: Map<string, MemoryEntry>, id: string, entry: MemoryEntry): void {
    this.addedAt.set(entry, Date.now() / 1000);
    shelf.set(id, entry);
  }

  private shelf({ appName, userId }: MemoryScope): Map<string, MemoryEntry> {
    const address = composedKey(appName, userId);
    const shelf = this.shelves.get(address) ?? new Map<string, MemoryEntry>();
    this.shelves.set(address, shelf);
    return shelf;
  }
}

/** Scripts that are searched by characters, because most of them put no spaces between words. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

/** A run of characters of such a script, with the marks and long vowels in it; else a word. */
const RUNS = new RegExp(
  `([${UNSPACED}][${UNSPACED}\\p{M}ー]*)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);

/** Shorter prefixes match too many words. */
const MIN_PREFIX = 3;
const MAX_PREFIX = 64;

const EXACT = 1;
const STEM = 0.75;
const PREFIX = 0.5;

/**
 * A search query, split into words and character pairs. A word matches the same word, its English stem ("harbours"
 * finds "harbour") and a prefix (`harb`). Scripts without spaces match by characters: a single character by itself, a
 * longer run by its pairs.
 */
class TextQuery {
  private readonly words = new Set<string>();
  /** Stems of the words. */
  private readonly stems = new Set<string>();
  private readonly pairs = new Set<string>();

  constructor(query: string) {
    for (const { text, isUnspaced } of runsOf(query)) {
      if (isUnspaced) for (const pair of pairsOf(text)) this.pairs.add(pair);
      else this.addWord(text);
    }
  }

  /** The score of a text; 0 if it shares nothing with the query. A whole word counts more than a stem or a prefix. */
  score(text: string): number {
    const met = new Map<string, number>();
    for (const run of runsOf(text)) {
      if (run.isUnspaced) this.meetPairs(run.text, met);
      else this.meetWord(run.text, met);
    }
    let score = 0;
    for (const value of met.values()) score += value;
    return score;
  }

  private addWord(word: string): void {
    this.words.add(word);
    this.stems.add(stemOf(word));
  }

  private meetPairs(text: string, met: Map<string, number>): void {
    if (this.pairs.size === 0) return;
    for (const part of [...Array.from(text), ...pairsOf(text)])
      if (this.pairs.has(part)) met.set(part, EXACT);
  }

  /** Records the best match of one word of the text. */
  private meetWord(word: string, met: Map<string, number>): void {
    const stem = stemOf(word);
    if (this.words.has(word)) raise(met, stem, EXACT);
    else if (this.stems.has(stem)) raise(met, stem, STEM);
    else {
      for (let end = Math.min(word.length - 1, MAX_PREFIX); end >= MIN_PREFIX; end--) {
        const beginning = word.slice(0, end);
        if (!this.words.has(beginning) && !this.stems.has(beginning)) continue;
        raise(met, stemOf(beginning), PREFIX);
        return;
      }
    }
  }
}

function raise(met: Map<string, number>, key: string, value: number): void {
  if ((met.get(key) ?? 0) < value) met.set(key, value);
}

function* runsOf(text: string): Generator<{ text: string; isUnspaced: boolean }> {
  for (const [run, unspaced] of text.normalize('NFKC').toLowerCase().matchAll(RUNS)) {
    yield { text: run, isUnspaced: unspaced !== undefined };
  }
}

/** The pairs of neighbouring characters in a run; a single character by itself. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
