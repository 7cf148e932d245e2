import { isDeepStrictEqual } from 'node:util';

import type { FunctionCall } from '@adorn/core';
import { oneOf, type OptionRules } from '@adorn/core/backend';

import { toolUsesOf } from '../eval-set.js';
import { checkMetric, THRESHOLD } from './metric-options.js';
import type { EvalMetric } from './metric.js';

/** The options of {@link toolTrajectory}. */
export interface ToolTrajectoryOptions {
  /** Default: 1. */
  readonly threshold?: number;
  /**
   * `exact`: the calls are those expected, one by one. `inOrder`: those expected come in their order, with others between
   * them. `anyOrder`: those expected come. Default: `exact`.
   */
  readonly matching?: 'exact' | 'inOrder' | 'anyOrder';
  /** `ignored`: only the names of the tools are compared. Default: `equal`. */
  readonly args?: 'equal' | 'ignored';
}

const RULES: OptionRules<ToolTrajectoryOptions> = {
  threshold: THRESHOLD,
  matching: oneOf('exact', 'inOrder', 'anyOrder'),
  args: oneOf('equal', 'ignored'),
};

/**
 * `tool_trajectory_avg_score`: the share of the expected calls of tools that were made. With `exact`, a call that is not
 * expected counts against it: matched, divided by the longer of the two lists.
 */
export function toolTrajectory(options: ToolTrajectoryOptions = {}): EvalMetric {
  checkMetric('toolTrajectory', options, RULES);
  const { threshold = 1, matching = 'exact', args = 'equal' } = options;
  const isSame = args === 'equal' ? isSameCall : isSameName;
  return {
    name: 'tool_trajectory_avg_score',
    description: 'The share of the expected tool calls that were made.',
    threshold,
    score: (actual, expected) => {
      const wanted = toolUsesOf(expected);
      return wanted && SCORES[matching](toolUsesOf(actual) ?? [], wanted, isSame);
    },
  };
}

type IsSame = (one: FunctionCall, other: FunctionCall) => boolean;

type Score = (actual: readonly FunctionCall[], expected: readonly FunctionCall[], isSame: IsSame) => number;

const SCORES: Readonly<Record<NonNullable<ToolTrajectoryOptions['matching']>, Score>> = {
  exact: (actual, expected, isSame) => {
    const matched = expected.filter((call, index) => {
      const made = actual[index];
      return made !== undefined && isSame(made, call);
    });
    return share(matched.length, Math.max(actual.length, expected.length));
  },
  inOrder: (actual, expected, isSame) => {
    let next = 0;
    for (const made of actual) {
      const wanted = expected[next];
      if (wanted && isSame(made, wanted)) next++;
    }
    return share(next, expected.length);
  },
  anyOrder: (actual, expected, isSame) => {
    const left = [...actual];
    const matched = expected.filter((call) => {
      const index = left.findIndex((made) => isSame(made, call));
      if (index !== -1) left.splice(index, 1);
      return index !== -1;
    });
    return share(matched.length, expected.length);
  },
};

function share(matched: number, of: number): number {
  return of === 0 ? 1 : matched / of;
}

function isSameName(one: FunctionCall, other: FunctionCall): boolean {
  return one.name === other.name;
}

function isSameCall(one: FunctionCall, other: FunctionCall): boolean {
  return isSameName(one, other) && isDeepStrictEqual({ ...one.args }, { ...other.args });
}
