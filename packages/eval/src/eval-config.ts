import { ANY, kindOf, OBJECT, optionFault, required } from '@adorn/core/backend';

import { camelKeys } from './camel-keys.js';
import { EvalConfigInvalidError } from './errors.js';
import type { EvalCriteria } from './metrics/named-metrics.js';

const CURE = 'Write { "criteria": { "tool_trajectory_avg_score": 1 } }.';

/** The keys of a config in camel case. The settings of a simulated user say nothing: no case with a scenario is played. */
const RULES = { criteria: required({ ...OBJECT, cure: () => CURE }), userSimulatorConfig: ANY, $schema: ANY };

/**
 * Reads the criteria of ADK's `test_config.json`. Keys are in camel case or snake case; null counts as absent.
 *
 * @param source what is named in errors
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`)
 */
export function parseEvalConfig(json: unknown, source = 'given'): EvalCriteria {
  const owner = `The criteria ${source}`;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new EvalConfigInvalidError(owner, `there is ${kindOf(json)} and no object`, CURE);
  const given = Object.entries(camelKeys(json)).filter(([, value]) => value !== undefined && value !== null);
  const { customMetrics, ...fields } = Object.fromEntries(given);
  if (customMetrics !== undefined)
    throw new EvalConfigInvalidError(
      owner,
      'custom_metrics name functions of Python',
      'Leave them out, and pass metrics of your own to evaluate().',
    );
  const found = optionFault(fields, RULES);
  if (found) throw new EvalConfigInvalidError(owner, found.fault, found.cure);
  return fields['criteria'] as EvalCriteria;
}
