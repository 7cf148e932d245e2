import type { VectorSearch } from './vector-search.js';
import { dotProduct, fromStored } from './vectors.js';

/** On SQLite without sqlite-vec: the owner's vectors are read and compared here. Slower, and the same answer. */
export const comparedVectors: VectorSearch = async (
  queries,
  { owner, embedder, vector, minScore, limit },
) => {
  const rows = await queries
    .selectFrom('adorn_memories')
    .innerJoin('adorn_memory_vectors', 'memory_no', 'no')
    .select(['no', 'vector'])
    .where('app', '=', owner.app)
    .where('user_id', '=', owner.user_id)
    .where('embedder', '=', embedder)
    .execute();
  return rows
    .map((row) => ({ no: row.no, score: dotProduct(fromStored(row.vector), vector) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || b.no - a.no)
    .slice(0, limit)
    .map(({ no }) => no);
};
