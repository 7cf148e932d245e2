import { isDeepStrictEqual } from 'node:util';

import type { EvalMetricResult } from './eval-report.js';

/** The name under which a result tells of `finalSessionState`. */
const FINAL_STATE = 'final_session_state';

/** The share of the expected values of the state that are there when the conversation is over. All have to be. */
export function stateResult(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): EvalMetricResult {
  const keys = Object.keys(expected);
  const others = keys.filter((key) => !isDeepStrictEqual(actual[key], expected[key]));
  const score = (keys.length - others.length) / keys.length;
  const detail = others.map(
    (key) =>
      `${key} is ${key in actual ? JSON.stringify(actual[key]) : 'absent'}, expected ${JSON.stringify(expected[key])}`,
  );
  return {
    ...{ metricName: FINAL_STATE, threshold: 1, score },
    evalStatus: others.length === 0 ? 'passed' : 'failed',
    ...(detail.length > 0 && { detail: detail.join('; ') }),
  };
}
