const { default: TestRunner } = require('jest-runner');

const { reachesActiveMutant } = require('./covered-mutants.cjs');

/** Spec files that found mutants, the latest last: neighbours of a mutant are mostly found by the same file. */
const finders = [];

/** Runs the spec files that reach the active mutant, the likeliest first, then the quickest, till one of them fails. */
module.exports = class extends TestRunner {
  async runTests(tests, watcher, options) {
    let failed = false;
    this.on('test-file-failure', () => (failed = true));
    this.on('test-file-success', ([, result]) => {
      failed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
    });
    const isDryRun = process.env['__STRYKER_ACTIVE_MUTANT__'] === undefined;
    const reaching = tests.filter(({ path }) => reachesActiveMutant(path));
    for (const test of reaching.sort(byPromise)) {
      await super.runTests([test], watcher, options);
      if (failed && !isDryRun) return noteFinder(test.path);
    }
  }
};

function byPromise(one, other) {
  const sooner = finders.indexOf(other.path) - finders.indexOf(one.path);
  return sooner === 0 ? (one.duration ?? 0) - (other.duration ?? 0) : sooner;
}

function noteFinder(path) {
  const index = finders.indexOf(path);
  if (index >= 0) finders.splice(index, 1);
  finders.push(path);
}
