import { AssertionError } from 'node:assert';

import { type MatcherOutcome, runMatchers, type RunMatchers } from './run-matchers.js';
import type { RunSubject } from './run-subject.js';

/** The matchers of a subject, and their opposites. */
export interface RunExpectation extends RunMatchers<void> {
  readonly not: RunMatchers<void>;
}

/**
 * The matchers for a test runner without `expect`, such as Node's own.
 *
 * @example
 * expectRun(await runner.run({ message: 'Refund A-17' })).toBeWaitingFor('confirmation');
 */
export function expectRun(subject: RunSubject): RunExpectation {
  return { ...matchersFor(subject, true), not: matchersFor(subject, false) };
}

function matchersFor(subject: RunSubject, expected: boolean): RunMatchers<void> {
  const check = ({ pass, message }: MatcherOutcome): void => {
    if (pass !== expected) throw new AssertionError({ message: message() });
  };
  return {
    toHaveCalledTool: (...given) => {
      check(runMatchers.toHaveCalledTool(subject, ...given));
    },
    toHaveToolResult: (...given) => {
      check(runMatchers.toHaveToolResult(subject, ...given));
    },
    toBeWaitingFor: (...given) => {
      check(runMatchers.toBeWaitingFor(subject, ...given));
    },
    toEmit: (...given) => {
      check(runMatchers.toEmit(subject, ...given));
    },
    toStayWithin: (...given) => {
      check(runMatchers.toStayWithin(subject, ...given));
    },
  };
}
