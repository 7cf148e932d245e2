// A property that fails has noticed the mutant: no smaller example of it is looked for, and one that holds so often is
// taken to hold. Both would take seconds for each mutant.
const fastCheck = require('fast-check');

const MOST_RUNS = 100;

const { assert } = fastCheck;

module.exports = {
  ...fastCheck,
  assert: (property, { numRuns = MOST_RUNS, ...more } = {}) =>
    assert(property, { ...more, numRuns: Math.min(numRuns, MOST_RUNS), endOnFailure: true }),
};
