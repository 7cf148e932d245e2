import type { GenerateContentResponseUsageMetadata } from '@google/genai';

import type { CacheMetadata } from '../events/cache-metadata.js';
import {
  checkOptions,
  isObject,
  kindOf,
  LIMIT,
  OptionInvalidError,
  type OptionRules,
  required,
  shownName,
} from '@adorn/schema';

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  /** Tokens of requests. */
  readonly input: number;
  /** Tokens of requests that the provider found in its cache. Default: as `input`. */
  readonly cachedInput?: number;
  /** Tokens that are kept in an explicit cache for an hour. Default: 0. */
  readonly cacheStorage?: number;
  /** Tokens of answers and of thoughts. */
  readonly output: number;
}

/** Prices by the beginnings of models' names; the longest that fits counts. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** List prices for text, as providers published them in November 2025. An application states its own for what it pays. */
export const PUBLISHED_PRICES: ModelPrices = Object.freeze({
  'gemini-2.5-pro': { input: 1.25, cachedInput: 0.125, cacheStorage: 4.5, output: 10 },
  'gemini-2.5-flash': { input: 0.3, cachedInput: 0.03, cacheStorage: 1, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, cachedInput: 0.01, cacheStorage: 1, output: 0.4 },
  'gemini-3-pro': { input: 2, cachedInput: 0.2, cacheStorage: 4.5, output: 12 },
  'gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
  'gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
  'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'claude-haiku-4-5': { input: 1, cachedInput: 0.1, output: 5 },
  'claude-sonnet-4': { input: 3, cachedInput: 0.3, output: 15 },
  'claude-opus-4': { input: 15, cachedInput: 1.5, output: 75 },
  'claude-opus-4-5': { input: 5, cachedInput: 0.5, output: 25 },
  // The offline model of @adorn/offline.
  offline: { input: 0, output: 0 },
});

const PRICE: OptionRules<ModelPrice> = {
  input: required(LIMIT),
  cachedInput: LIMIT,
  cacheStorage: LIMIT,
  output: required(LIMIT),
};

/**
 * Checks prices that an application states.
 *
 * @param owner what they are, for the error
 * @throws {OptionInvalidError}
 */
export function checkPrices(owner: string, prices: unknown): asserts prices is ModelPrices {
  if (!isObject(prices) || Array.isArray(prices))
    throw new OptionInvalidError(
      owner,
      `they are ${kindOf(prices)}`,
      "Pass an object such as { 'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 } }.",
    );
  for (const [model, price] of Object.entries(prices))
    checkOptions(`${owner}, "${shownName(model)}"`, price, PRICE);
}

/** The price of a model; undefined for a name that no entry begins. */
export function priceOf(model: string, prices: ModelPrices = PUBLISHED_PRICES): ModelPrice | undefined {
  const fitting = Object.keys(prices).filter((beginning) => model.startsWith(beginning));
  const longest = fitting.reduce((best, one) => (one.length > best.length ? one : best), '');
  return fitting.length > 0 ? prices[longest] : undefined;
}

/**
 * What a model call costs, in US dollars. The call that created a cache pays for it: its tokens once as of a request, and the
 * whole time that it is kept.
 *
 * @param cache the cache that the request named
 */
export function costOfUsage(
  usage: GenerateContentResponseUsageMetadata,
  price: ModelPrice,
  cache?: CacheMetadata,
): number {
  const { input, cachedInput = input, output } = price;
  const { promptTokenCount: sent = 0, cachedContentTokenCount: cached = 0 } = usage;
  const { candidatesTokenCount: said = 0, thoughtsTokenCount: thought = 0 } = usage;
  const read = Math.min(cached, sent);
  const created = cache?.invocationsUsed === 1 ? cached * priceOfCreation(price, cache) : 0;
  return ((sent - read) * input + read * cachedInput + (said + thought) * output + created) / 1_000_000;
}

/** For a million tokens. */
function priceOfCreation({ input, cacheStorage = 0 }: ModelPrice, cache: CacheMetadata): number {
  const hours = Math.max(0, cache.expireTime - cache.createdAt) / 3600;
  return input + hours * cacheStorage;
}
