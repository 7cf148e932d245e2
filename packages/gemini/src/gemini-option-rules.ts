import {
  ANY,
  BOOLEAN,
  booleanOr,
  LIMIT,
  OBJECT,
  oneOf,
  type OptionRules,
  optionsOf,
  rule,
  secret,
  TEXT,
  wholeFrom,
} from '@adorn/core/backend';

import type { ContextCacheConfig } from './cache/context-cache-config.js';
import type { GeminiEmbedderOptions } from './gemini.embedder.js';
import type { GeminiOptions, GeminiRetryOptions } from './gemini-options.js';
import type { GeminiLiveOptions } from './live/gemini-live-options.js';

const SENSITIVITY = oneOf('low', 'high');

const LIVE: OptionRules<GeminiLiveOptions> = {
  contextCompression: booleanOr(
    { triggerTokens: LIMIT, targetTokens: LIMIT },
    'Pass true, false or { triggerTokens, targetTokens }.',
  ),
  activityDetection: optionsOf({
    startSensitivity: SENSITIVITY,
    endSensitivity: SENSITIVITY,
    prefixPadding: LIMIT,
    silence: LIMIT,
  }),
  interruptible: BOOLEAN,
  proactiveAudio: BOOLEAN,
  affectiveDialog: BOOLEAN,
};

const CONTEXT_CACHE: OptionRules<ContextCacheConfig> = {
  minTokens: wholeFrom(0),
  ttlSeconds: wholeFrom(60),
  cacheIntervals: wholeFrom(1),
};

const RETRY: OptionRules<GeminiRetryOptions> = {
  attempts: LIMIT,
  initialDelay: LIMIT,
  maxDelay: LIMIT,
  maxTotal: LIMIT,
};

/** The options of `GeminiModel` and `GeminiLiveModel`. */
export const GEMINI_OPTIONS: OptionRules<GeminiOptions> = {
  model: TEXT,
  apiKey: secret(TEXT),
  // A URL is checked where it is known to receive the API key.
  baseUrl: ANY,
  apiVersion: TEXT,
  vertexai: BOOLEAN,
  project: TEXT,
  location: TEXT,
  declareResults: BOOLEAN,
  contextCache: booleanOr(CONTEXT_CACHE, 'Pass true, false or { minTokens, ttlSeconds, cacheIntervals }.'),
  headers: secret(OBJECT),
  retry: optionsOf(RETRY),
  live: optionsOf(LIVE),
  timeout: LIMIT,
};

/** The options of `GeminiEmbedder`. */
export const EMBEDDER_OPTIONS: OptionRules<GeminiEmbedderOptions> = {
  ...GEMINI_OPTIONS,
  dimensions: wholeFrom(1),
  minScore: rule(
    (value) => typeof value === 'number' && value >= -1 && value <= 1,
    'Pass a cosine, from -1 to 1.',
  ),
};
