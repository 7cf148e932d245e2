import warmCache from '@adorn/compiler/jest/warm-cache';

/** What derives schemas on demand: the samples and the programs of the pages. Most other specs state their schemas. */
const ROOTS = ['samples', 'packages/adorn/src'];

/** Before all specs are run, what they derive is derived by one process. */
export async function warmDerivations(rootDir) {
  await warmCache({}, { roots: ROOTS.map((root) => `${rootDir}/${root}`) });
}
