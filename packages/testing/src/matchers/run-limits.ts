import type { Event } from '@adorn/core';
import { costOfUsage, type ModelPrices, priceOf, PUBLISHED_PRICES } from '@adorn/core/backend';

/** What a run may use at most. */
export interface RunLimits {
  /** Answers of models. */
  readonly modelCalls?: number;
  /** Calls of tools. */
  readonly toolCalls?: number;
  /** Tokens of requests and answers, as providers reported them. */
  readonly tokens?: number;
  /** US dollars, by `prices`. A model without a price fails the test. */
  readonly dollars?: number;
  /** Milliseconds from the first event to the last. */
  readonly ms?: number;
  /** Default: the published list prices. */
  readonly prices?: ModelPrices;
}

/** What is counted, and how it is named in a message. */
export const MEASURES: readonly (keyof Omit<RunLimits, 'prices'>)[] = [
  'modelCalls',
  'toolCalls',
  'tokens',
  'dollars',
  'ms',
];

/** What the events of a run have used. `dollars` is NaN if a model has no price. */
export function usedBy(
  events: readonly Event[],
  prices: ModelPrices = PUBLISHED_PRICES,
): Readonly<Record<keyof Omit<RunLimits, 'prices'>, number>> {
  const whole = events.filter(({ partial }) => !partial);
  const answers = whole.filter(({ content, author }) => content?.role === 'model' && author !== 'user');
  const times = whole.map(({ timestamp }) => timestamp);
  return {
    modelCalls: answers.length,
    toolCalls: sum(answers.map(({ functionCalls }) => functionCalls.length)),
    tokens: sum(whole.map(({ usageMetadata }) => usageMetadata?.totalTokenCount ?? 0)),
    dollars: sum(whole.map((event) => dollarsOf(event, prices))),
    ms: times.length === 0 ? 0 : (Math.max(...times) - Math.min(...times)) * 1000,
  };
}

function dollarsOf({ usageMetadata, modelVersion, cacheMetadata }: Event, prices: ModelPrices): number {
  if (usageMetadata === undefined) return 0;
  const price = priceOf(modelVersion ?? '', prices);
  return price === undefined ? Number.NaN : costOfUsage(usageMetadata, price, cacheMetadata);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
