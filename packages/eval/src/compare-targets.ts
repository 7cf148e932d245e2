import { EvalConfigInvalidError } from './errors.js';
import type { EvalReport } from './eval-report.js';
import type { EvalSet } from './eval-set.js';
import { evaluate, type EvalTarget, type EvaluateOptions } from './evaluate.js';
import {
  checkCompareOptions,
  type CompareOptions,
  compareReports,
  type EvalComparison,
} from './statistics/compare.js';

/** The options of {@link compareTargets}: those of `evaluate`, for both versions, without a file of results. */
export interface CompareTargetsOptions extends Omit<EvaluateOptions, 'results'>, CompareOptions {}

/** Two versions of an agent, and the reports by which they were compared. */
export interface TargetComparison extends EvalComparison {
  readonly reports: { readonly before: EvalReport; readonly after: EvalReport };
}

/**
 * Plays the same cases with two versions of an agent, one after the other, and compares them: two prompts, models or sets of tools.
 *
 * @param versions for each a runner, or a function that creates one for each case
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) for invalid options, or if no case was played without an error by both
 * @throws {EvalSetInvalidError} (`EVAL_SET_INVALID`) for cases that the tools or options cannot play
 *
 * @example
 * const { verdict, cases } = await compareTargets({ before: () => createRunner(Desk), after: () => createRunner(NewDesk) }, set, { runs: 20 });
 */
export async function compareTargets(
  versions: { readonly before: EvalTarget; readonly after: EvalTarget },
  set: EvalSet,
  { alpha, ...options }: CompareTargetsOptions = {},
): Promise<TargetComparison> {
  const compareOptions = alpha === undefined ? {} : { alpha };
  checkCompareOptions('compareTargets', compareOptions);
  if ('results' in options && options.results !== undefined)
    throw new EvalConfigInvalidError(
      'compareTargets',
      'the option results is given, and one file cannot hold the results of two versions',
      'Leave it out, or call evaluate with a file for each version, and compareReports.',
    );
  const before = await evaluate(versions.before, set, options);
  const after = await evaluate(versions.after, set, options);
  return { ...compareReports(before, after, compareOptions), reports: { before, after } };
}
