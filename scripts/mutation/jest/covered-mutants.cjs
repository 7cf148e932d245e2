// Which mutants each spec file reaches. Stryker knows it by test only, and not at all for what a file does before its
// tests; such mutants it would try with every spec. Kept in a file, as Stryker may replace the process it tests in.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');

const FILE = process.env['ADORN_MUTATION_COVERAGE'];

/** By mutant, how often it had been reached before the spec file at hand. */
let before = new Map();
let reachedBy;

/** Notes what a spec file has reached, in the run without a mutant. */
exports.remember = (spec, coverage) => {
  if (process.env['__STRYKER_ACTIVE_MUTANT__'] !== undefined || coverage === undefined) return;
  const now = countsOf(coverage);
  reachedBy ??= {};
  reachedBy[spec] = [...now.keys()].filter((mutant) => now.get(mutant) > (before.get(mutant) ?? 0));
  before = now;
  writeFileSync(FILE, JSON.stringify(reachedBy));
};

/** Whether a spec file reaches the mutant that is active now; each does where none is. */
exports.reachesActiveMutant = (spec) => {
  const active = process.env['__STRYKER_ACTIVE_MUTANT__'];
  if (active === undefined) return true;
  if (reachedBy === undefined && existsSync(FILE)) reachedBy = JSON.parse(readFileSync(FILE, 'utf8'));
  return reachedBy?.[spec]?.includes(active) ?? true;
};

function countsOf({ static: outside, perTest }) {
  const counts = new Map();
  for (const reached of [outside, ...Object.values(perTest)]) {
    for (const [mutant, count] of Object.entries(reached))
      counts.set(mutant, (counts.get(mutant) ?? 0) + count);
  }
  return counts;
}
