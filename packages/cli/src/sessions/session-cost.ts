import type { Event } from '@adorn/core';
import { costOfUsage, type ModelPrices, priceOf, recordedCosts } from '@adorn/core/backend';

/** What the model calls of a session have used and cost. */
export interface SessionCost {
  /** Tokens of requests, those from a provider's cache included. */
  readonly input: number;
  /** Tokens of requests that providers found in their caches. */
  readonly cached: number;
  /** Tokens of answers and thoughts. */
  readonly output: number;
  /** Tokens of models that tools have asked: the log has only their sum. */
  readonly ofTools: number;
  /** US dollars of the calls whose price is known. */
  readonly usd: number;
  /** False if the price of some tokens is not known: `usd` is then too low. */
  readonly isComplete: boolean;
}

/** Which price an event has. */
export interface Pricing {
  readonly prices: ModelPrices;
  /** The names of models by the names of agents, for events that do not say which version answered. */
  readonly models: ReadonlyMap<string, string>;
}

/** @param events of the whole log: what was rewound was paid, too */
export function costOfSession(events: readonly Event[], pricing: Pricing): SessionCost {
  const sum = { input: 0, cached: 0, output: 0, ofTools: 0, usd: 0, isComplete: true };
  for (const event of events) {
    addAnswer(sum, event, pricing);
    addToolCosts(sum, event);
  }
  return sum;
}

type Sum = { -readonly [Key in keyof SessionCost]: SessionCost[Key] };

function addAnswer(sum: Sum, answer: Event, pricing: Pricing): void {
  const { usageMetadata: usage, author, modelVersion, cacheMetadata } = answer;
  if (!usage) return;
  sum.input += usage.promptTokenCount ?? 0;
  sum.cached += usage.cachedContentTokenCount ?? 0;
  sum.output += (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
  const { prices, models } = pricing;
  const price = priceOf(modelVersion ?? '', prices) ?? priceOf(models.get(author) ?? '', prices);
  if (price) sum.usd += costOfUsage(usage, price, cacheMetadata);
  else sum.isComplete = false;
}

/** `context.askModel` records tokens, and US dollars if the budget of the run could tell them. */
function addToolCosts(sum: Sum, event: Event): void {
  const { tokens, usd } = recordedCosts(event);
  if (tokens === 0) return;
  sum.ofTools += tokens;
  if (usd > 0 && Number.isFinite(usd)) sum.usd += usd;
  else sum.isComplete = false;
}
