// fast-check as the specs import it. A developer's properties look elsewhere at each run; what CI judges is the same each time.
// `ADORN_PROPERTY_RUNS=5000 npm test -- propert` tries each property at least so often.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const CI_SEED = 20_261_122;
const LEAST_RUNS = Number(process.env.ADORN_PROPERTY_RUNS ?? 0);
const DEFAULT_RUNS = 100;
if (process.env.CI) fc.configureGlobal({ seed: CI_SEED });

export function assert(property, { numRuns = DEFAULT_RUNS, ...options } = {}) {
  return fc.assert(property, { ...options, numRuns: Math.max(numRuns, LEAST_RUNS) });
}

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default { ...fc, assert };
