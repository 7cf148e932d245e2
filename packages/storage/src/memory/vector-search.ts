import type { Queries } from '../database/database.js';
import type { Owner } from './memory-row.js';

/** Which memories to look for by a vector. */
export interface VectorQuery {
  readonly owner: Owner;
  /** Only vectors of this embedder: see `embedderKey`. */
  readonly embedder: string;
  /** Of length one. */
  readonly vector: readonly number[];
  readonly minScore: number;
  readonly limit: number;
}

/** The numbers of the memories whose vectors point the same way, the nearest first. */
export type VectorSearch = (queries: Queries, query: VectorQuery) => Promise<number[]>;
