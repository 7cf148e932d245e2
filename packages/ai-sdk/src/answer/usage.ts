import type { ModelResponse } from '@adorn/core';

import { isJsonObject } from '../is-json-object.js';

export type Usage = NonNullable<ModelResponse['usageMetadata']>;

/**
 * The usage of an answer in Gemini's words, of any specification: v2 has numbers, v3 and v4 have them in groups.
 * Undefined if the provider reports none.
 *
 * @param countsCachedApart true if the input is reported without its cached tokens
 */
export function readUsage(given: unknown, countsCachedApart: boolean): Usage | undefined {
  if (!isJsonObject(given)) return undefined;
  const { inputTokens: input, outputTokens: output } = given;
  const stated = amount(isJsonObject(input) ? input['total'] : input);
  const answer = amount(isJsonObject(output) ? output['total'] : output);
  const cached = amount(isJsonObject(input) ? input['cacheRead'] : given['cachedInputTokens']);
  const thoughts = amount(isJsonObject(output) ? output['reasoning'] : given['reasoningTokens']);
  const prompt = countsCachedApart ? sumOf(stated, cached) : stated;
  const total = sumOf(prompt, answer) ?? amount(given['totalTokens']);
  const usage: Usage = {
    ...(prompt !== undefined && { promptTokenCount: prompt }),
    // Gemini counts thoughts beside the candidates, the AI SDK within the output.
    ...(answer !== undefined && { candidatesTokenCount: Math.max(0, answer - (thoughts ?? 0)) }),
    ...(cached !== undefined && { cachedContentTokenCount: cached }),
    ...(thoughts !== undefined && { thoughtsTokenCount: thoughts }),
    ...(total !== undefined && { totalTokenCount: total }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
