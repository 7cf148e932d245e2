import type { Queries } from '../database/database.js';
import type { NewMemory, Owner } from './memory-row.js';

/** Stores memories with their words, and finds them by words. One implementation per database. */
export interface WordIndex {
  /** Locks the memories of the user for other writers until the transaction ends. */
  hold(queries: Queries, owner: Owner): Promise<void>;

  /** Adds new memories; an event that was added before is unchanged. */
  insert(queries: Queries, owner: Owner, memories: readonly NewMemory[]): Promise<void>;

  /** Replaces the words of a memory. */
  replace(queries: Queries, owner: Owner, no: number, text: string): Promise<void>;

  /** Finds the numbers of the owner's memories with any of the words, best first. */
  find(queries: Queries, owner: Owner, words: readonly string[], limit: number): Promise<number[]>;
}

/** Limits of searchable text and of queries. */
const SEARCHED = 100_000;
const ASKED = 64;

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The maximal length of a word. Both databases refuse very long ones. */
const RUN = /[\p{L}\p{N}\p{M}]{1,100}/gu;

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of a text in order, case-folded and normalised. They contain no query syntax. */
export function wordsOf(text: string): string[] {
  const runs = text.slice(0, SEARCHED).normalize('NFKC').toLowerCase().match(RUN) ?? [];
  return runs.flatMap((run) => (UNSPACED.test(run) ? segmentsOf(run) : [run]));
}

/** The distinct words of a query. */
export function wordsAsked(query: string): string[] {
  return [...new Set(wordsOf(query))].slice(0, ASKED);
}

function segmentsOf(run: string): string[] {
  return Array.from(SEGMENTER.segment(run), ({ segment }) => segment);
}
