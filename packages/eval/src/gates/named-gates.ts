import { isObject, suggestName } from '@adorn/core/backend';

import { camelKeys } from '../camel-keys.js';
import { EvalConfigInvalidError } from '../errors.js';
import type { EvalGate } from './gate.js';
import { maxCost, maxLatency, maxToolCalls, maxToolErrorRate } from './limits.js';
import { noCallAfterRefusal } from './no-call-after-refusal.js';
import { noDoubleEffect } from './no-double-effect.js';
import { noUnapprovedCall } from './no-unapproved-call.js';

/** Gates by their names: `true`, a limit, or the options of the gate. */
export type GateCriteria = Readonly<Record<string, boolean | number | Readonly<Record<string, unknown>>>>;

interface NamedGate {
  readonly description: string;
  /** The option that a number is; absent for a gate without a limit of its own. */
  readonly limit?: string;
  /** @param options checked by the gate */
  readonly make: (options: never) => EvalGate;
}

const GATES: Readonly<Record<string, NamedGate>> = {
  no_unapproved_call: {
    description: 'No call that asks, or is destructive, ran without an approval.',
    make: noUnapprovedCall,
  },
  no_double_effect: { description: 'No effect of a tool happened again.', make: noDoubleEffect },
  no_call_after_refusal: {
    description: 'No tool was called again after a person had rejected it.',
    make: noCallAfterRefusal,
  },
  max_tool_calls: { description: 'At most so many tool calls.', limit: 'calls', make: maxToolCalls },
  max_tool_error_rate: {
    description: 'At most this share of tool calls failed.',
    limit: 'rate',
    make: maxToolErrorRate,
  },
  max_latency_ms: {
    description: 'Each turn took at most so many milliseconds.',
    limit: 'ms',
    make: maxLatency,
  },
  max_cost_usd: {
    description: 'The model calls cost at most so many US dollars.',
    limit: 'usd',
    make: maxCost,
  },
};

/** The gates that have names, with their descriptions. */
export const GATE_DESCRIPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(GATES).map(([name, { description }]) => [name, description]),
);

/**
 * The gates of a file or a command line. One that is `false` is left out.
 *
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`)
 */
export function gatesOf(criteria: GateCriteria): EvalGate[] {
  return Object.entries(criteria).flatMap(([name, given]) => {
    const gate = Object.hasOwn(GATES, name) ? GATES[name] : undefined;
    if (!gate) {
      const cure = suggestName(name, new Set(Object.keys(GATES)));
      throw new EvalConfigInvalidError(`The gate "${name}"`, 'there is no such gate', cure);
    }
    return given === false ? [] : [gate.make(optionsOf(name, gate, given) as never)];
  });
}

function optionsOf(name: string, { limit }: NamedGate, given: unknown): object {
  if (isObject(given) && !Array.isArray(given)) return camelKeys(given);
  if (limit === undefined && given === true) return {};
  if (limit !== undefined && typeof given === 'number') return { [limit]: given };
  throw new EvalConfigInvalidError(
    `The gate "${name}"`,
    `its value is ${JSON.stringify(given)}`,
    limit === undefined ? 'Write true, or its options.' : 'Write a number, or its options.',
  );
}
