import type { Queries } from '../database/database.js';
import type { NewMemory, Owner } from './memory-row.js';

/** How one kind of database keeps memories with their words, and finds them by these. */
export interface WordIndex {
  /** Keeps what others who write for the same user wait for, until the transaction ends. */
  hold(queries: Queries, owner: Owner): Promise<void>;

  /** Adds what is new: an event that was added before is left as it is. */
  insert(queries: Queries, owner: Owner, memories: readonly NewMemory[]): Promise<void>;

  /** The numbers of the owner's memories with any of the words, the best first. */
  find(queries: Queries, owner: Owner, words: readonly string[], limit: number): Promise<number[]>;
}
