import type { Section } from '../check.js';
import { runSpecs } from '../run-specs.js';
import type { Suite } from '../suite.js';
import { byBackend } from './contract-result.js';

/** The specs in which a backend is put to its contract. */
const SPECS =
  'packages/(core|storage)/src/(stores/)?(sessions|artifacts|memory|auth|credentials)/.*\\.spec\\.ts$';

/** Every contract suite of a store, on every backend of it. */
export const storesConformance: Suite = {
  name: 'stores',
  summary: 'the contract suites of sessions, artifacts, memory and credentials on every backend',
  takes: 'about 90 seconds',
  async *run() {
    const begun = performance.now();
    const backends = byBackend(await runSpecs([SPECS], { namePattern: 'as an? \\w+Service' }));
    const ms = (performance.now() - begun) / Math.max(1, backends.length);
    for (const { backend, groups } of backends) yield { name: backend, groups, ms } satisfies Section;
  },
};
