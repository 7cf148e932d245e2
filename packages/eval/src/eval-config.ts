import { ANY, kindOf, OBJECT, optionFault, required } from '@adorn/core/backend';

import { camelKeys } from './camel-keys.js';
import { EvalConfigInvalidError } from './errors.js';
import type { EvalGate } from './gates/gate.js';
import { type GateCriteria, gatesOf } from './gates/named-gates.js';
import type { EvalCriteria } from './metrics/named-metrics.js';

const CURE = 'Write { "criteria": { "tool_trajectory_avg_score": 1 } }.';

/** The keys of a config in camel case. Who plays the user is an option of the evaluation. */
const RULES = {
  criteria: required({ ...OBJECT, cure: () => CURE }),
  gates: OBJECT,
  userSimulatorConfig: ANY,
  $schema: ANY,
};

/**
 * Reads the criteria of ADK's `test_config.json`. Keys are in camel case or snake case; null counts as absent.
 *
 * @param source what is named in errors
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`)
 */
export function parseEvalConfig(json: unknown, source = 'given'): EvalCriteria {
  return fieldsOf(json, source)['criteria'] as EvalCriteria;
}

/**
 * Reads the gates of a config, which stand beside the criteria: `{ "gates": { "no_double_effect": true, "max_tool_calls": 5 } }`.
 *
 * @param source what is named in errors
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`)
 */
export function parseEvalGates(json: unknown, source = 'given'): EvalGate[] {
  return gatesOf((fieldsOf(json, source)['gates'] ?? {}) as GateCriteria);
}

function fieldsOf(json: unknown, source: string): Readonly<Record<string, unknown>> {
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
  return fields;
}
