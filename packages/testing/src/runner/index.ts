export { NetworkBlockedError, StepNotReachedError } from './errors.js';
export { override, type Override } from './override.js';
export { SteppedRun } from './stepped-run.js';
export { testRunner, type TestRunner, type TestRunnerOptions } from './test-runner.js';
