// fast-check as the specs import it. A developer's properties look elsewhere at each run; what CI judges is the same each time.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const CI_SEED = 20_261_122;
if (process.env.CI) fc.configureGlobal({ seed: CI_SEED });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;
