import type { ModelResponse } from '@adorn/core';
import { costOfUsage, type ModelPrices, priceOf, PUBLISHED_PRICES } from '@adorn/core/backend';

/** The costs of model calls in US dollars. */
export class ModelCosts {
  private readonly prices: ModelPrices;

  /** @param prices beside the published ones */
  constructor(prices: ModelPrices = {}) {
    this.prices = { ...PUBLISHED_PRICES, ...prices };
  }

  /**
   * What an answer has cost; 0 for a failure without usage.
   *
   * @param model the name of the model that was asked; the version that answered has precedence
   * @returns undefined if the price is not known, or the model reported no usage
   */
  of(model: string, answer: ModelResponse): number | undefined {
    const { usageMetadata: usage, modelVersion, errorCode, cacheMetadata } = answer;
    if (!usage) return errorCode === undefined ? undefined : 0;
    const price = priceOf(modelVersion ?? model, this.prices) ?? priceOf(model, this.prices);
    return price && costOfUsage(usage, price, cacheMetadata);
  }
}

/** What the model calls of one run have cost so far. */
export class RunCost {
  private sum: number | undefined = 0;

  /** In US dollars; undefined if the cost of one call is not known. */
  get usd(): number | undefined {
    return this.sum;
  }

  add(usd: number | undefined): void {
    this.sum = this.sum === undefined || usd === undefined ? undefined : this.sum + usd;
  }
}
