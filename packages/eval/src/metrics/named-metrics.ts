import type { Model } from '@adorn/core';
import type { Awaitable } from '@adorn/core/backend';

import { camelKeys } from '../camel-keys.js';
import { EvalConfigInvalidError } from '../errors.js';
import { judgedResponse } from './judged-response.js';
import type { EvalMetric } from './metric.js';
import { responseMatch } from './response-match.js';
import { rubrics } from './rubrics.js';
import { toolTrajectory, type ToolTrajectoryOptions } from './tool-trajectory.js';

/** A threshold, or a criterion as ADK's `test_config.json` has it. */
export type EvalCriterion = number | Readonly<Record<string, unknown>>;

/** The criteria of an evaluation by the names of their metrics: `criteria` of ADK's `test_config.json`. */
export type EvalCriteria = Readonly<Record<string, EvalCriterion>>;

/** Gives the model of a judge: by its name, or the default one. */
export type FindJudge = (name: string | undefined) => Awaitable<Model>;

/** The criteria where none are given. */
export const DEFAULT_CRITERIA: EvalCriteria = Object.freeze({
  tool_trajectory_avg_score: 1,
  response_match_score: 0.8,
});

interface NamedMetric {
  readonly description: string;
  readonly make: (criterion: Criterion, findJudge: FindJudge) => Awaitable<EvalMetric>;
}

const METRICS: Readonly<Record<string, NamedMetric>> = {
  tool_trajectory_avg_score: {
    description: 'The share of the expected tool calls that were made, in their order.',
    make: ({ threshold, fields }) => toolTrajectory({ threshold, matching: matchingOf(fields) }),
  },
  response_match_score: {
    description: 'The share of the words of the expected answer that are in the answer.',
    make: ({ threshold }) => responseMatch({ threshold }),
  },
  final_response_match_v1: {
    description: 'The same as response_match_score.',
    make: ({ threshold }) => ({ ...responseMatch({ threshold }), name: 'final_response_match_v1' }),
  },
  final_response_match_v2: {
    description: 'Whether a model judges that the answer says what the expected answer says.',
    make: async (criterion, findJudge) =>
      judgedResponse({
        model: await findJudge(textOf(criterion.judge['judgeModel'])),
        threshold: criterion.threshold,
        samples: numberOf(criterion.judge['numSamples']),
      }),
  },
  rubric_based_final_response_quality_v1: {
    description: 'The share of statements that a model judges to be true of the answer.',
    make: async (criterion, findJudge) =>
      rubrics({
        model: await findJudge(textOf(criterion.judge['judgeModel'])),
        threshold: criterion.threshold,
        rubrics: rubricsIn(criterion.fields),
      }),
  },
};

/** The metrics that have names, with their descriptions. */
export const METRIC_DESCRIPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(METRICS).map(([name, { description }]) => [name, description]),
);

/**
 * The metrics of criteria.
 *
 * @param findJudge gives the models of metrics that need one
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`)
 */
export async function metricsOf(criteria: EvalCriteria, findJudge: FindJudge): Promise<EvalMetric[]> {
  return Promise.all(
    Object.entries(criteria).map(async ([name, given]) => {
      const metric = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
      if (!metric) {
        const known = Object.keys(METRICS).join(', ');
        throw new EvalConfigInvalidError(titleOf(name), 'there is no such metric', `Known: ${known}.`);
      }
      return metric.make(readCriterion(name, given), findJudge);
    }),
  );
}

interface Criterion {
  readonly threshold: number | undefined;
  /** The other fields, in camel case. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** `judge_model_options`, in camel case. */
  readonly judge: Readonly<Record<string, unknown>>;
}

function readCriterion(name: string, given: EvalCriterion): Criterion {
  const fields = typeof given === 'number' ? { threshold: given } : camel(given);
  const threshold: unknown = (fields as { readonly threshold?: unknown }).threshold;
  if (threshold !== undefined && !Number.isFinite(threshold))
    throw new EvalConfigInvalidError(
      titleOf(name),
      `its threshold is ${JSON.stringify(threshold)}`,
      'Write a number, such as 0.8, or { threshold: 0.8 }.',
    );
  const judge = (fields as { readonly judgeModelOptions?: unknown }).judgeModelOptions;
  return { threshold: threshold as number | undefined, fields, judge: camel(judge) };
}

const MATCHING: Readonly<Record<string, ToolTrajectoryOptions['matching']>> = {
  EXACT: 'exact',
  IN_ORDER: 'inOrder',
  ANY_ORDER: 'anyOrder',
};

function matchingOf({ matchType }: Readonly<Record<string, unknown>>): ToolTrajectoryOptions['matching'] {
  if (matchType === undefined) return undefined;
  const matching = typeof matchType === 'string' ? MATCHING[matchType.toUpperCase()] : undefined;
  if (!matching)
    throw new EvalConfigInvalidError(
      titleOf('tool_trajectory_avg_score'),
      `its match_type is ${JSON.stringify(matchType)}`,
      `Known: ${Object.keys(MATCHING).join(', ')}.`,
    );
  return matching;
}

function rubricsIn({ rubrics: given }: Readonly<Record<string, unknown>>): string[] {
  const texts = (Array.isArray(given) ? given : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return [one];
    const text = camel(camel(one)['rubricContent'])['textProperty'];
    return typeof text === 'string' ? [text] : [];
  });
  if (texts.length === 0)
    throw new EvalConfigInvalidError(
      titleOf('rubric_based_final_response_quality_v1'),
      'it has no rubrics',
      'Write { threshold: 0.8, rubrics: ["The answer names the order."] }.',
    );
  return texts;
}

function titleOf(name: string): string {
  return `The metric "${name}"`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The fields of an object, in camel case; none of anything else. */
function camel(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? camelKeys(value) : {};
}
