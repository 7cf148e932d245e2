import type { GenerateContentConfig } from '@adorn/core';
import type { JsonObject } from '@adorn/core/dialects';

type ThinkingConfig = NonNullable<GenerateContentConfig['thinkingConfig']>;

/** `thinkingConfig` as options of a provider; empty for providers that have no such option. */
export function thinkingOptions(config: ThinkingConfig | undefined, provider: string): JsonObject {
  if (config === undefined) return {};
  if (provider === 'anthropic') return anthropicThinking(config);
  if (provider === 'openai' || provider === 'azure') return openaiReasoning(config);
  return {};
}

function anthropicThinking({ thinkingBudget }: ThinkingConfig): JsonObject {
  if (thinkingBudget === undefined || thinkingBudget < 0) return {};
  if (thinkingBudget === 0) return { thinking: { type: 'disabled' } };
  return { thinking: { type: 'enabled', budgetTokens: thinkingBudget } };
}

function openaiReasoning({ thinkingLevel, includeThoughts }: ThinkingConfig): JsonObject {
  const effort = (thinkingLevel as string | undefined)?.toLowerCase();
  return {
    ...(effort !== undefined && EFFORTS.has(effort) && { reasoningEffort: effort }),
    ...(includeThoughts === true && { reasoningSummary: 'auto' }),
  };
}

const EFFORTS: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high']);
