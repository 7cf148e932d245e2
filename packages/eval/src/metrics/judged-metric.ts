import type { Model } from '@adorn/core';
import type { Awaitable, OptionRules } from '@adorn/core/backend';

import type { EvalInvocation } from '../eval-set.js';
import { Judge } from './judge.js';
import { checkMetric, COUNT, JUDGE_MODEL, THRESHOLD } from './metric-options.js';
import type { EvalMetric } from './metric.js';

/** The options of a metric that a model judges by yes or no. */
export interface JudgeOptions {
  /** The model that judges. */
  readonly model: Model;
  /** Default: 0.5. */
  readonly threshold?: number;
  /** How often each turn is judged; the majority holds. Default: 5. */
  readonly samples?: number;
}

/** A metric by the votes of a model. */
export interface JudgedMetric extends EvalMetric {
  /**
   * Each verdict by itself; undefined if the case expects nothing that the metric looks at. `judgeAgreement` measures by them how
   * far the judge agrees with people, and with itself.
   */
  votes(actual: EvalInvocation, expected: EvalInvocation): Awaitable<readonly boolean[] | undefined>;
}

const RULES: OptionRules<JudgeOptions> = {
  model: JUDGE_MODEL,
  threshold: THRESHOLD,
  samples: COUNT,
};

/** What a judge is asked. */
export interface Judgement {
  /** The function that makes the metric, for errors. */
  readonly maker: string;
  readonly name: string;
  readonly description: string;
  /** What makes the verdict yes. */
  readonly instruction: string;
  /** What it is shown, by name; undefined for a turn that is not judged. */
  readonly question: (
    actual: EvalInvocation,
    expected: EvalInvocation,
  ) => Readonly<Record<string, string>> | undefined;
}

const VERDICT = {
  type: 'object',
  properties: {
    reason: { type: 'string', description: 'Why, in one sentence.' },
    isValid: { type: 'boolean' },
  },
  required: ['reason', 'isValid'],
  additionalProperties: false,
} as const;

/** A metric whose score is 1 if most verdicts are yes, else 0. */
export function judgedMetric(options: JudgeOptions, judgement: Judgement): JudgedMetric {
  checkMetric(judgement.maker, options, RULES);
  const { model, threshold = 0.5, samples = 5 } = options;
  const { name, description, instruction, question } = judgement;
  const judge = new Judge(model, instruction);
  const votes = async (
    actual: EvalInvocation,
    expected: EvalInvocation,
  ): Promise<readonly boolean[] | undefined> => {
    const asked = question(actual, expected);
    if (!asked) return undefined;
    const verdicts = await judge.votes<{ readonly isValid: boolean }>(asked, VERDICT, samples);
    return verdicts.map(({ isValid }) => isValid);
  };
  return {
    ...{ name, description, threshold, votes },
    score: async (actual, expected) => {
      const given = await votes(actual, expected);
      return given && (isMajority(given) ? 1 : 0);
    },
    close: () => judge.close(),
  };
}

/** True if more than half of the votes are yes. */
export function isMajority(votes: readonly boolean[]): boolean {
  return votes.filter(Boolean).length * 2 > votes.length;
}
