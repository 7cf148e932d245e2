import type { GenerateContentConfig } from '@adorn/core';
import type { JsonObject } from '@adorn/core/dialects';

import { isJsonObject } from '../is-json-object.js';
import type { Specification } from '../specification.js';
import type { CallOptions } from './call-options.js';

type ThinkingConfig = NonNullable<GenerateContentConfig['thinkingConfig']>;
type Level = 'minimal' | 'low' | 'medium' | 'high';

/** A `thinkingConfig` as a provider takes it. */
export interface Thinking {
  /** Options of the provider. */
  readonly options: JsonObject;
  /** The option of specification v4, for providers without an own one. */
  readonly reasoning?: CallOptions['reasoning'];
  /** The fields that the provider has no option for. */
  readonly ignored: readonly string[];
}

/** Options of a provider for the fields of a `thinkingConfig`; undefined for a value that it cannot express. */
interface ThinkingDialect {
  readonly level?: (level: Level) => JsonObject | undefined;
  /** @param tokens 0 to switch thinking off */
  readonly budget?: (tokens: number) => JsonObject | undefined;
  readonly includeThoughts?: (isShown: boolean) => JsonObject;
}

/** @param provider the key of the provider's options */
export function thinkingOf(
  config: ThinkingConfig | undefined,
  provider: string,
  version: Specification,
): Thinking {
  const { level, budget, includeThoughts } = readConfig(config ?? {});
  const dialect = DIALECTS[provider] ?? {};
  const parts = [
    level && dialect.level?.(level),
    budget === undefined ? undefined : dialect.budget?.(budget),
    includeThoughts === undefined ? undefined : dialect.includeThoughts?.(includeThoughts),
  ];
  const [ofLevel, ofBudget] = parts;
  const isLevelLeft = level !== undefined && ofLevel === undefined;
  const isBudgetLeft = budget !== undefined && ofBudget === undefined;
  const options = parts.filter(isJsonObject).reduce<JsonObject>(merged, {});
  if (version === 'v4' && (isLevelLeft || (isBudgetLeft && budget === 0)))
    return { options, reasoning: isLevelLeft ? level : 'none', ignored: [] };
  const ignored = [...(isLevelLeft ? ['thinkingLevel'] : []), ...(isBudgetLeft ? ['thinkingBudget'] : [])];
  return { options, ignored };
}

interface ReadConfig {
  readonly level: Level | undefined;
  readonly budget: number | undefined;
  readonly includeThoughts: boolean | undefined;
}

/** A negative budget leaves it to the model. */
function readConfig({ thinkingLevel, thinkingBudget, includeThoughts }: ThinkingConfig): ReadConfig {
  const level = thinkingLevel?.toLowerCase() ?? '';
  return {
    level: isLevel(level) ? level : undefined,
    budget: thinkingBudget === undefined || thinkingBudget < 0 ? undefined : thinkingBudget,
    includeThoughts,
  };
}

function isLevel(level: string): level is Level {
  return ['minimal', 'low', 'medium', 'high'].includes(level);
}

/** Of objects within objects too, such as `reasoning` of OpenRouter. */
function merged(before: JsonObject, added: JsonObject): JsonObject {
  const entries = Object.entries(added).map(([name, value]) => {
    const other = before[name];
    return [name, isJsonObject(value) && isJsonObject(other) ? { ...other, ...value } : value] as const;
  });
  return { ...before, ...Object.fromEntries(entries) };
}

const OPENAI: ThinkingDialect = {
  level: (level) => ({ reasoningEffort: level }),
  includeThoughts: (isShown) => (isShown ? { reasoningSummary: 'auto' } : {}),
};

/** OpenAI-like servers have no lower effort than `low`. */
const EFFORT: ThinkingDialect = {
  level: (level) => ({ reasoningEffort: level === 'minimal' ? 'low' : level }),
};

const THINKING_BUDGET: ThinkingDialect = {
  budget: (tokens) => ({
    thinking: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens },
  }),
};

/** By the documentation of each package; models that think show their thoughts unless a dialect says otherwise. */
const DIALECTS: Readonly<Record<string, ThinkingDialect>> = {
  anthropic: THINKING_BUDGET,
  azure: OPENAI,
  bedrock: {
    budget: (tokens) => ({
      reasoningConfig: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens },
    }),
  },
  cerebras: EFFORT,
  cohere: {
    budget: (tokens) => ({
      thinking: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', tokenBudget: tokens },
    }),
  },
  deepseek: {
    ...EFFORT,
    budget: (tokens) => (tokens === 0 ? { thinking: { type: 'disabled' } } : undefined),
  },
  fireworks: THINKING_BUDGET,
  google: {
    level: (thinkingLevel) => ({ thinkingConfig: { thinkingLevel } }),
    budget: (thinkingBudget) => ({ thinkingConfig: { thinkingBudget } }),
    includeThoughts: (includeThoughts) => ({ thinkingConfig: { includeThoughts } }),
  },
  groq: EFFORT,
  mistral: {
    level: (level) => (level === 'high' ? { reasoningEffort: 'high' } : undefined),
    budget: (tokens) => (tokens === 0 ? { reasoningEffort: 'none' } : undefined),
  },
  ollama: { budget: (tokens) => ({ think: tokens > 0 }), level: () => ({ think: true }) },
  openai: OPENAI,
  openrouter: {
    level: (effort) => ({ reasoning: { effort } }),
    budget: (tokens) => ({ reasoning: tokens === 0 ? { effort: 'none' } : { max_tokens: tokens } }),
    includeThoughts: (isShown) => (isShown ? {} : { reasoning: { exclude: true } }),
  },
  togetherai: EFFORT,
  xai: EFFORT,
};
