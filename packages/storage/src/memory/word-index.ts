import type { Queries } from '../database/database.js';
import type { NewMemory, Owner } from './memory-row.js';

/** How one kind of database keeps memories with their words, and finds them by these. */
export interface WordIndex {
  /** Locks the memories of the user for other writers until the transaction ends. */
  hold(queries: Queries, owner: Owner): Promise<void>;

  /** Adds new memories; an event that was added before is unchanged. */
  insert(queries: Queries, owner: Owner, memories: readonly NewMemory[]): Promise<void>;

  /** The numbers of the owner's memories with any of the words, the best first. */
  find(queries: Queries, owner: Owner, words: readonly string[], limit: number): Promise<number[]>;
}
