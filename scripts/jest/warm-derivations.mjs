import warmCache from '@adorn/compiler/jest/warm-cache';

/** What derives schemas on demand: the samples and the programs of the pages. Most other specs state their schemas. */
const ROOTS = ['samples', 'packages/adorn/src'];

/** Before all specs are run, what they derive is derived by one process. A run of some specs derives what it needs. */
export default async function warmDerivations({ rootDir, testPathPatterns }) {
  const isWhole = testPathPatterns.patterns.length === 0;
  if (isWhole) await warmCache({}, { roots: ROOTS.map((root) => `${rootDir}/${root}`) });
}
