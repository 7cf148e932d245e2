import { optionFault, type Rule, rule } from '@adorn/core/backend';

import { EvalConfigInvalidError } from '../errors.js';

/** The lowest score that passes. */
export const THRESHOLD = rule((value) => Number.isFinite(value), 'Pass a number, such as 0.8.');

/**
 * @param metric the function that takes the options, such as `toolTrajectory`
 * @throws {EvalConfigInvalidError}
 */
export function checkMetric(metric: string, options: unknown, rules: Readonly<Record<string, Rule>>): void {
  const found = optionFault(options, rules);
  if (found) throw new EvalConfigInvalidError(metric, found.fault, found.cure);
}
