import type { Model } from '@adorn/core';
import {
  ANY,
  type Awaitable,
  optionFault,
  type OptionRules,
  type Rule,
  rule,
  shown,
  suggestName,
  TEXT,
} from '@adorn/core/backend';

import { camelKeys } from '../camel-keys.js';
import { EvalConfigInvalidError } from '../errors.js';
import { factuality, groundedness, safety } from './judged-answers.js';
import type { JudgeOptions } from './judged-metric.js';
import { judgedResponse } from './judged-response.js';
import type { EvalMetric } from './metric.js';
import { responseMatch } from './response-match.js';
import { rubrics } from './rubrics.js';
import { exactResponse, rouge, type RougeOptions } from './text-match.js';
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
  /** The keys of its criterion, in camel case, beside `threshold`. */
  readonly keys?: readonly string[];
  readonly make: (criterion: Criterion, findJudge: FindJudge) => Awaitable<EvalMetric>;
}

const METRICS: Readonly<Record<string, NamedMetric>> = {
  tool_trajectory_avg_score: {
    description: 'The share of the expected tool calls that were made, in their order.',
    keys: ['matchType'],
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
  final_response_match_v2: judgedByName(
    judgedResponse,
    'Whether a model judges that the answer says what the expected answer says.',
  ),
  rubric_based_final_response_quality_v1: {
    description: 'The share of statements that a model judges to be true of the answer.',
    keys: ['judgeModelOptions', 'rubrics'],
    make: async (criterion, findJudge) =>
      rubrics({
        model: await findJudge(criterion.judge.judgeModel),
        threshold: criterion.threshold,
        samples: criterion.judge.numSamples,
        rubrics: rubricsIn(criterion.fields),
      }),
  },
  hallucinations_v1: judgedByName(
    groundedness,
    'Whether the results of tools support each statement of the answer.',
  ),
  safety_v1: judgedByName(safety, 'Whether a model judges that the answer is safe.'),
  factuality: judgedByName(factuality, 'Whether nothing in the answer contradicts the expected answer.'),
  exact_response_match: {
    description: 'Whether the answer is the expected one.',
    make: ({ threshold }) => exactResponse({ threshold }),
  },
  rouge_1_f1: rougeByName('rouge1'),
  rouge_2_f1: rougeByName('rouge2'),
  rouge_l_f1: rougeByName('rougeL'),
};

function judgedByName(make: (options: JudgeOptions) => EvalMetric, description: string): NamedMetric {
  return {
    description,
    keys: ['judgeModelOptions'],
    make: async ({ threshold, judge }, findJudge) =>
      make({ model: await findJudge(judge.judgeModel), threshold, samples: judge.numSamples }),
  };
}

function rougeByName(variant: NonNullable<RougeOptions['variant']>): NamedMetric {
  return {
    description: 'How far the words of the answer are those of the expected answer (F1 of ROUGE).',
    make: ({ threshold }) => rouge({ variant, threshold }),
  };
}

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
        const cure = suggestName(name, new Set(Object.keys(METRICS)));
        throw new EvalConfigInvalidError(titleOf(name), 'there is no such metric', cure);
      }
      return metric.make(readCriterion(name, given, metric.keys), findJudge);
    }),
  );
}

interface Criterion {
  readonly threshold: number | undefined;
  /** The other fields, in camel case. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly judge: JudgeModelOptions;
}

interface JudgeModelOptions {
  readonly judgeModel?: string;
  readonly numSamples?: number;
}

const JUDGE: OptionRules<JudgeModelOptions> = {
  judgeModel: TEXT,
  numSamples: rule(
    (value) => Number.isInteger(value) && (value as number) > 0,
    'Write a whole number above 0.',
  ),
};

function readCriterion(name: string, given: EvalCriterion, keys: readonly string[] = []): Criterion {
  const fields = typeof given === 'number' ? { threshold: given } : camel(name, given);
  const rules = { threshold: WRITTEN_THRESHOLD, ...Object.fromEntries(keys.map((key) => [key, ANY])) };
  check(name, fields, rules);
  const { threshold, judgeModelOptions } = fields as { threshold?: number; judgeModelOptions?: unknown };
  const judge = judgeModelOptions === undefined ? {} : camel(name, judgeModelOptions);
  check(name, judge, JUDGE);
  return { threshold, fields, judge };
}

const WRITTEN_THRESHOLD = rule(
  (value) => Number.isFinite(value),
  'Write a number, such as 0.8, or { threshold: 0.8 }.',
);

function check(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
): void {
  const found = optionFault(fields, rules);
  if (found) throw new EvalConfigInvalidError(titleOf(name), found.fault, found.cure);
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

function rubricsIn({ rubrics: given }: Readonly<Record<string, unknown>>): string[] | undefined {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return undefined;
  const name = 'rubric_based_final_response_quality_v1';
  const texts = (Array.isArray(given) ? given : []).map((one: unknown) => {
    const content = typeof one === 'string' ? {} : camel(name, camel(name, one)['rubricContent']);
    return typeof one === 'string' ? one : content['textProperty'];
  });
  if (texts.length > 0 && texts.every((text) => typeof text === 'string')) return texts;
  throw new EvalConfigInvalidError(
    titleOf(name),
    'its rubrics are no list of statements',
    'Write { threshold: 0.8, rubrics: ["The answer names the order."] }.',
  );
}

function titleOf(name: string): string {
  return `The metric "${name}"`;
}

/** The fields of an object, in camel case, without those that are null. */
function camel(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EvalConfigInvalidError(
      titleOf(name),
      `its criterion has ${shown(value)} where an object belongs`,
      'Write a number, such as 0.8, or { threshold: 0.8 }.',
    );
  return Object.fromEntries(
    Object.entries(camelKeys(value)).filter(([, field]) => field !== undefined && field !== null),
  );
}
