import type { NameRule } from '@adorn/core/backend';
import type { JsonObject } from '@adorn/core/dialects';

import type { CallIdRule } from './request/call-ids.js';
import type { ProviderModel } from './specification.js';

/** How a provider takes schemas. */
export interface ProviderProfile {
  /** The dialect of a tool's parameters. */
  readonly toolDialect: 'json-schema' | 'openai' | 'gemini';
  /**
   * How a schema of the answer is sent: in a dialect, or stated in the instruction, where the provider takes none
   * (`json-mode`) or not even a JSON mode (`instruction`).
   */
  readonly outputDialect: 'json-schema' | 'openai' | 'gemini' | 'json-mode';
  /** True if a schema of the answer may be sent beside tools. */
  readonly takesSchemaBesideTools: boolean;
  /** True if the provider has a JSON mode without a schema. */
  readonly hasJsonMode: boolean;
  /** The key of `providerOptions`. */
  readonly optionsName: string;
  /** True for OpenAI's Responses API, which stores conversations unless told otherwise. */
  readonly storesResponses: boolean;
  /** The ids of calls that it accepts. */
  readonly callIds: CallIdRule;
  /** The names of tools that it accepts. */
  readonly toolNames: NameRule;
  /** The published limits of the declarations of tools, of which a warning is logged: providers raise them. */
  readonly toolLimits?: ToolLimits;
  /** True if it refuses a request with a text without a visible character. */
  readonly refusesBlankTexts: boolean;
  /** True if it refuses a conversation that does not begin with a message of the user. */
  readonly beginsWithUser: boolean;
  /** The mark behind what the provider shall cache; undefined if it needs none, or has no cache. */
  readonly cacheMark?: CacheMark;
  /** The media types of files that its package sends; undefined for all, or if unknown. */
  readonly files?: RegExp;
}

/** An option of a message or tool that marks the end of what a provider caches. */
export interface CacheMark {
  /** The key of `providerOptions`. */
  readonly provider: string;
  /** The name of the option. */
  readonly option: 'cacheControl' | 'cachePoint';
  /** Its value, unless the user states another. */
  readonly value: JsonObject;
  /** True if a tool can be marked, for requests without a system instruction. */
  readonly takesTools: boolean;
}

export interface ToolLimits {
  /** The largest number of tools. */
  readonly tools: number;
  /** The longest description of a tool, in characters. */
  readonly description?: number;
}

/** A dialect of `@adorn/core/dialects` by its name. */
export type DialectName = ProviderProfile['toolDialect'];

/**
 * The profile of a model's provider, by the provider's name, such as `openai.responses` or `anthropic.messages`. An
 * unknown provider gets plain JSON Schema.
 *
 * @param dialect overrides the dialect of both tools and answers
 */
export function profileOf(model: ProviderModel, dialect?: DialectName): ProviderProfile {
  const named = byName(model);
  const own: ProviderProfile = MISTRAL.test(model.modelId)
    ? { ...named, callIds: 'nine alphanumerics' }
    : named;
  return dialect === undefined ? own : { ...own, toolDialect: dialect, outputDialect: dialect };
}

/** Models of Mistral, whose templates refuse other ids of calls on the servers of other providers too. */
const MISTRAL = /\b(?:codestral|devstral|magistral|ministral|mistral|mixtral|pixtral)/i;

function byName(model: ProviderModel): ProviderProfile {
  const [vendor = '', api = ''] = model.provider.split('.');
  if (vendor === 'openai' || vendor === 'azure') return openai(vendor, api);
  if (vendor === 'anthropic' || model.provider.includes('anthropic')) return ANTHROPIC;
  if (vendor === 'google' || vendor === 'vertex') return { ...PLAIN, optionsName: 'google', ...GEMINI };
  const takesSchema = model.supportsStructuredOutputs !== false;
  const outputDialect = takesSchema ? 'json-schema' : 'json-mode';
  const cacheMark = cacheMarkOf(vendor, model.modelId);
  return {
    ...PLAIN,
    optionsName: vendor,
    outputDialect,
    ...VENDORS[vendor],
    ...(cacheMark && { cacheMark }),
  };
}

const CACHE_CONTROL = { option: 'cacheControl', value: { type: 'ephemeral' } } as const;

/** Other models of Bedrock refuse a request with a mark. */
const CACHING_MODELS =
  /claude-(?:opus|sonnet|haiku|fable|mythos)-\d|claude-3-7|claude-3-5-haiku|claude-3-5-sonnet-20241022|amazon\.nova/;

/** The mark of Bedrock, and of Claude on OpenRouter. */
function cacheMarkOf(vendor: string, modelId: string): CacheMark | undefined {
  if (vendor === 'openrouter' && modelId.startsWith('anthropic/'))
    return { ...CACHE_CONTROL, provider: 'openrouter', takesTools: false };
  if (vendor !== 'amazon-bedrock' || !CACHING_MODELS.test(modelId)) return undefined;
  return { provider: 'bedrock', option: 'cachePoint', value: { type: 'default' }, takesTools: false };
}

const IMAGES = /^image\//;
const IMAGES_AND_PDF = /^(?:image\/|application\/pdf$)/;

/** Where a vendor differs from others. */
const VENDORS: Readonly<Record<string, Partial<ProviderProfile>>> = {
  'amazon-bedrock': {
    optionsName: 'bedrock',
    callIds: 'up to 64',
    refusesBlankTexts: true,
    beginsWithUser: true,
    files:
      /^(?:image\/(?:jpeg|png|gif|webp)|text\/(?:csv|html|plain|markdown)|application\/(?:pdf|msword|vnd\..+))$/,
  },
  cohere: { files: /^(?:image\/|text\/|application\/json$)/ },
  deepseek: { files: IMAGES },
  groq: { files: IMAGES, toolLimits: { tools: 128 } },
  mistral: { callIds: 'nine alphanumerics', files: IMAGES_AND_PDF },
  ollama: { files: IMAGES },
  perplexity: { files: IMAGES_AND_PDF },
  xai: { files: IMAGES },
};

const PLAIN: Omit<ProviderProfile, 'optionsName'> = {
  toolDialect: 'json-schema',
  outputDialect: 'json-schema',
  takesSchemaBesideTools: false,
  hasJsonMode: true,
  storesResponses: false,
  callIds: 'up to 40',
  toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, longest: 64 },
  refusesBlankTexts: false,
  beginsWithUser: false,
};

const GEMINI = {
  toolDialect: 'gemini',
  outputDialect: 'gemini',
  toolNames: { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, longest: 64 },
} as const;

/** `@ai-sdk/anthropic` brings the schema of an answer into the form of `output_config.format`. */
const ANTHROPIC: ProviderProfile = {
  ...PLAIN,
  takesSchemaBesideTools: true,
  hasJsonMode: false,
  optionsName: 'anthropic',
  callIds: 'up to 64',
  refusesBlankTexts: true,
  beginsWithUser: true,
  cacheMark: { ...CACHE_CONTROL, provider: 'anthropic', takesTools: true },
  files: /^(?:image\/|application\/pdf$|text\/plain$)/,
};

function openai(vendor: string, api: string): ProviderProfile {
  return {
    ...PLAIN,
    toolDialect: 'openai',
    outputDialect: 'openai',
    takesSchemaBesideTools: true,
    optionsName: vendor === 'azure' && api === 'responses' ? 'azure' : 'openai',
    storesResponses: api === 'responses',
    toolLimits: { tools: 128, ...(api !== 'responses' && { description: 1024 }) },
    ...(api === 'responses'
      ? { callIds: 'up to 64', files: IMAGES_AND_PDF }
      : { callIds: 'up to 40', files: /^(?:image\/|application\/pdf$|audio\/(?:wav|mp3|mpeg)$)/ }),
  };
}
