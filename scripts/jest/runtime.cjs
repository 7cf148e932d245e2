const { default: Runtime } = require('jest-runtime');

/** What each spec file has for itself: the file, its fixtures, what sets it up, and the functions of Jest. */
const OWN = /\.(spec|fixture)\.ts$|\/scripts\/jest\/|^@jest\/globals/;

/** The parts of Jest that hold the state of one spec file. */
const STATEFUL = /[\\/]node_modules[\\/](jest-circus|expect|@jest[\\/]expect|jest-snapshot|jest-each)[\\/]/;

let shared;

/**
 * Jest's runtime, of which a worker has one for all spec files in the shared environment: a module of Adorn or of its
 * libraries is loaded once, as in an application, and not once per spec file. Mocks, spies and the modules of one file
 * end with it.
 */
module.exports = class extends Runtime {
  constructor(config, environment, resolver, transformer, files, coverage, testPath, globalConfig) {
    if (environment.isShared && shared !== undefined) {
      shared.begin(testPath);
      return shared;
    }
    super(config, environment, resolver, transformer, files, coverage, testPath, globalConfig);
    if (environment.isShared) {
      this.isShared = true;
      shared = this;
    }
  }

  begin(testPath) {
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = 'loading';
  }

  teardown() {
    if (!this.isShared) {
      super.teardown();
      return;
    }
    this.restoreAllMocks();
    this.testMainModule.reset();
    this.jestGlobals.clearJestObjectCache();
    this.registries.exitIsolated();
    const internal = this.registries.getInternalCjsRegistry();
    for (const path of internal.keys()) if (STATEFUL.test(path)) internal.delete(path);
    const modules = this.registries.getActiveEsmRegistry();
    for (const [key, module] of modules) {
      if (OWN.test(key) || module.status !== 'evaluated') modules.delete(key);
    }
  }

  resetModules() {
    this.requireIsolation('jest.resetModules()');
    super.resetModules();
  }

  setMock(...mock) {
    this.requireIsolation('jest.mock()');
    super.setMock(...mock);
  }

  setModuleMock(...mock) {
    this.requireIsolation('jest.unstable_mockModule()');
    super.setModuleMock(...mock);
  }

  requireIsolation(use) {
    if (this.isShared) {
      throw new Error(
        `${use} changes modules that other spec files share: begin this file with /** @isolated */.`,
      );
    }
  }
};
module.exports.default = module.exports;
