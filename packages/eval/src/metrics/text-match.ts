import { joinText } from '@adorn/core';
import { oneOf, type OptionRules } from '@adorn/core/backend';
import { l, n } from 'js-rouge';

import { checkMetric, THRESHOLD } from './metric-options.js';
import type { EvalMetric } from './metric.js';

/** The options of {@link exactResponse}. */
export interface ExactResponseOptions {
  /** Default: 1. */
  readonly threshold?: number;
}

/** `exact_response_match`: 1 if the answer is the expected one, but for white space around it, else 0. */
export function exactResponse(options: ExactResponseOptions = {}): EvalMetric {
  checkMetric('exactResponse', options, { threshold: THRESHOLD } satisfies OptionRules<ExactResponseOptions>);
  return {
    name: 'exact_response_match',
    description: 'Whether the answer is the expected one.',
    threshold: options.threshold ?? 1,
    score: ({ finalResponse: actual }, { finalResponse: expected }) => {
      const wanted = joinText(expected).trim();
      return wanted === '' ? undefined : joinText(actual).trim() === wanted ? 1 : 0;
    },
  };
}

/** The options of {@link rouge}. */
export interface RougeOptions {
  /**
   * What is compared: words (`rouge1`), pairs of words (`rouge2`), or the longest common sequence of words in each sentence
   * (`rougeL`). Default: `rougeL`.
   */
  readonly variant?: 'rouge1' | 'rouge2' | 'rougeL';
  /** Default: 0.5. */
  readonly threshold?: number;
}

const ROUGE: OptionRules<RougeOptions> = {
  variant: oneOf('rouge1', 'rouge2', 'rougeL'),
  threshold: THRESHOLD,
};

const NAMES = { rouge1: 'rouge_1_f1', rouge2: 'rouge_2_f1', rougeL: 'rouge_l_f1' } as const;

/**
 * `rouge_1_f1`, `rouge_2_f1` or `rouge_l_f1`: the F1 of ROUGE between the answer and the expected answer. Unlike
 * `responseMatch`, which is the recall of words, words too many count against it.
 */
export function rouge(options: RougeOptions = {}): EvalMetric {
  checkMetric('rouge', options, ROUGE);
  const { variant = 'rougeL', threshold = 0.5 } = options;
  return {
    name: NAMES[variant],
    description: 'How far the words of the answer are those of the expected answer (F1 of ROUGE).',
    threshold,
    score: ({ finalResponse: actual }, { finalResponse: expected }) => {
      const wanted = joinText(expected).trim();
      const found = joinText(actual).trim();
      if (wanted === '') return undefined;
      return found === '' ? 0 : SCORES[variant](found, wanted);
    },
  };
}

const ANY_CASE = { caseSensitive: false } as const;

const SCORES: Readonly<Record<keyof typeof NAMES, (found: string, wanted: string) => number>> = {
  rouge1: (found, wanted) => n(found, wanted, { ...ANY_CASE, n: 1 }),
  rouge2: (found, wanted) => n(found, wanted, { ...ANY_CASE, n: 2 }),
  rougeL: (found, wanted) => l(found, wanted, ANY_CASE),
};
