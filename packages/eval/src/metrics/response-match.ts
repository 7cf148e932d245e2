import { joinText } from '@adorn/core';
import type { OptionRules } from '@adorn/core/backend';

import { checkMetric, THRESHOLD } from './metric-options.js';
import type { EvalMetric } from './metric.js';

/** The options of {@link responseMatch}. */
export interface ResponseMatchOptions {
  /** Default: 0.8. */
  readonly threshold?: number;
}

const RULES: OptionRules<ResponseMatchOptions> = { threshold: THRESHOLD };

/**
 * `response_match_score`: the share of the words of the expected answer that are in the answer (recall of unigrams,
 * ROUGE-1), each as often as it is expected. Words are letters and digits; upper and lower case are the same.
 * An expected answer without words expects nothing.
 */
export function responseMatch(options: ResponseMatchOptions = {}): EvalMetric {
  checkMetric('responseMatch', options, RULES);
  const { threshold = 0.8 } = options;
  return {
    name: 'response_match_score',
    description: 'The share of the words of the expected answer that are in the answer.',
    threshold,
    score: ({ finalResponse: actual }, { finalResponse: expected }) => {
      const wanted = wordsOf(joinText(expected));
      return wanted.length === 0 ? undefined : recall(wordsOf(joinText(actual)), wanted);
    },
  };
}

function recall(actual: readonly string[], expected: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of actual) left.set(word, (left.get(word) ?? 0) + 1);
  const found = expected.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count > 0;
  });
  return found.length / expected.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
