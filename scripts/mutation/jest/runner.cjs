const { default: TestRunner } = require('jest-runner');

const { reachesActiveMutant } = require('./covered-mutants.cjs');

/** Runs the spec files that reach the active mutant, the quickest first, till one of them fails. */
module.exports = class extends TestRunner {
  async runTests(tests, watcher, options) {
    let failed = false;
    this.on('test-file-failure', () => (failed = true));
    this.on('test-file-success', ([, result]) => {
      failed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
    });
    const isDryRun = process.env['__STRYKER_ACTIVE_MUTANT__'] === undefined;
    const reaching = tests.filter(({ path }) => reachesActiveMutant(path));
    for (const test of reaching.sort((a, b) => (a.duration ?? 0) - (b.duration ?? 0))) {
      await super.runTests([test], watcher, options);
      if (failed && !isDryRun) return;
    }
  }
};
