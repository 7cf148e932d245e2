export { expectRun, type RunExpectation } from './expect-run.js';
export type { RunLimits } from './run-limits.js';
export {
  type ExpectedCalls,
  type ExpectedEvent,
  type ExpectedRequest,
  type MatcherOutcome,
  runMatchers,
  type RunMatchers,
} from './run-matchers.js';
export { type RunSubject, RunSubjectInvalidError } from './run-subject.js';
