const { createRequire } = require('node:module');

const AdornEnvironment = require('../../jest/environment.cjs');
const cappedFastCheck = require('./capped-fast-check.cjs');
const { remember } = require('./covered-mutants.cjs');

const requireFromStryker = createRequire(`${process.env['ADORN_MUTATION_STRYKER']}/package.json`);
const { mixinJestEnvironment } = requireFromStryker('@stryker-mutator/jest-runner');

/**
 * The environment of all specs, as Stryker needs it to know which mutant is active and which are reached. A spec file
 * ends where its first test fails. Each file is isolated: what a module does while it is loaded depends on the mutant.
 */
module.exports = class extends mixinJestEnvironment(AdornEnvironment) {
  constructor(config, context) {
    super(config, { ...context, docblockPragmas: { ...context.docblockPragmas, isolated: '' } });
    this.testPath = context.testPath;
    const handle = this.handleTestEvent;
    this.handleTestEvent = async (event, state) => {
      if (event.name === 'test_fn_failure') this.hasFailed = true;
      if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
      await handle(event, state);
    };
  }

  async setup() {
    await super.setup();
    this.global['adornKeptFastCheck'] = cappedFastCheck;
  }

  async teardown() {
    remember(this.testPath, this.global['__stryker__']?.mutantCoverage);
    await super.teardown();
  }
};
