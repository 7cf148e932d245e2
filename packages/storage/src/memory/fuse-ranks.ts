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
