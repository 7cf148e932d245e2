import warmCache from '@adorn/compiler/jest/warm-cache';

/** What derives schemas on demand: the samples, the programs of the pages and the examples. Most other specs state their schemas. */
const ROOTS = ['samples', 'packages/adorn/src', 'packages/conformance/src/examples'];

/** Before all specs are run, what they derive is derived by one process. */
export async function warmDerivations(rootDir) {
  await warmCache({}, { roots: ROOTS.map((root) => `${rootDir}/${root}`) });
}
