import warmCache from '@adorn/compiler/jest/warm-cache';

/** What derives schemas on demand: the samples, the programs of the pages and the examples. Most other specs state their schemas. */
const SAMPLES = ['samples'];
const PROGRAMS = ['packages/adorn/src', 'packages/conformance/src/examples'];

/** The specs beyond them that are about what is derived. */
const SPECS = [
  'packages/core/src/agents/tree/wrapped-functions.spec.ts',
  'packages/core/src/tools/define-tool.spec.ts',
  'packages/core/src/tools/refused-functions.spec.ts',
  'packages/memory/src/working-memory.spec.ts',
  'packages/policies/src/readme.spec.ts',
  'packages/testing/src/runner/test-runner.spec.ts',
  'packages/tool-search/src/functions.spec.ts',
];

/** Before all specs are run, what they derive is derived, by two processes: no more is gained by more of them. */
export async function warmDerivations(rootDir) {
  await Promise.all(
    [SAMPLES, [...PROGRAMS, ...SPECS]].map((paths) =>
      warmCache({}, { roots: paths.map((path) => `${rootDir}/${path}`) }),
    ),
  );
}
