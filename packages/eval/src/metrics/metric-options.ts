import { OBJECT, optionFault, required, type Rule, rule } from '@adorn/core/backend';

import { EvalConfigInvalidError } from '../errors.js';

/** The lowest score that passes. */
export const THRESHOLD = rule((value) => Number.isFinite(value), 'Pass a number, such as 0.8.');

/** A number of cases, runs, votes or messages. */
export const COUNT = rule(
  (value) => Number.isInteger(value) && (value as number) > 0,
  'Pass a whole number above 0.',
);

/** The model of a judge. */
export const JUDGE_MODEL = required({ ...OBJECT, cure: () => 'Pass the model that judges.' });

/**
 * @param metric the function that takes the options, such as `toolTrajectory`
 * @throws {EvalConfigInvalidError}
 */
export function checkMetric(metric: string, options: unknown, rules: Readonly<Record<string, Rule>>): void {
  const found = optionFault(options, rules);
  if (found) throw new EvalConfigInvalidError(metric, found.fault, found.cure);
}
