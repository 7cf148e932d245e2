import type { OptionRules } from '@adorn/core/backend';

import { checkMetric, THRESHOLD } from './metric-options.js';
import type { EvalMetric } from './metric.js';

/** The options of {@link userFeedback}. */
export interface UserFeedbackOptions {
  /** Default: 0.5. */
  readonly threshold?: number;
}

const RULES: OptionRules<UserFeedbackOptions> = { threshold: THRESHOLD };

/**
 * `user_feedback`: what people thought of the answers of a turn, each as much as another. It is a metric of stored conversations, for
 * `scoreSession`: nobody has judged what an evaluation plays, and a turn without feedback is not scored.
 */
export function userFeedback(options: UserFeedbackOptions = {}): EvalMetric {
  checkMetric('userFeedback', options, RULES);
  const { threshold = 0.5 } = options;
  return {
    name: 'user_feedback',
    description: 'What people thought of the answer, from 0, bad, to 1, good.',
    threshold,
    score: ({ feedback = [] }) =>
      feedback.length === 0
        ? undefined
        : feedback.reduce((sum, { score }) => sum + score, 0) / feedback.length,
  };
}
