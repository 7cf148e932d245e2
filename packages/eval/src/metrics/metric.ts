import type { Awaitable } from '@adorn/core/backend';

import type { EvalInvocation, JudgedInvocation } from '../eval-set.js';

/** The lowest and the highest score of a metric. */
export interface ScoreInterval {
  readonly min: number;
  readonly max: number;
}

/**
 * Scores the turns of a case. The score of a case is the mean of its turns; the case passes if that is at least the
 * threshold.
 *
 * @example
 * const isShort: EvalMetric = {
 *   name: 'is_short',
 *   description: 'Answers of at most 200 characters.',
 *   threshold: 1,
 *   score: ({ finalResponse }) => (joinText(finalResponse).length <= 200 ? 1 : 0),
 * };
 */
export interface EvalMetric {
  /** Such as `tool_trajectory_avg_score`. */
  readonly name: string;
  readonly description: string;
  readonly threshold: number;
  /** Default: 0 to 1. */
  readonly interval?: ScoreInterval;
  /**
   * @param actual the turn as it was
   * @param expected the turn of the case
   * @returns undefined if the case expects nothing that the metric looks at
   */
  score(actual: JudgedInvocation, expected: EvalInvocation): Awaitable<number | undefined>;
  /** Ends what the metric has opened, such as the runner of a judge. */
  close?(): Awaitable<void>;
}
