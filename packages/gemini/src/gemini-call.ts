import type { Timing } from '@adorn/core/backend';

import type { Content, GenerateContentConfig, GenerateContentParameters, GoogleGenAI } from '@google/genai';

import type { GeminiAttempt } from './attempts/gemini-attempt.js';
import type { ContextCacheEntry } from './cache/cached-contents.js';
import type { GeminiRetryOptions } from './gemini-options.js';
import type { GeminiSettings } from './gemini-settings.js';
import { without } from './without.js';

/** The parts of a request to Gemini that all its attempts share. */
export interface GeminiErrand {
  readonly client: GoogleGenAI;
  readonly settings: GeminiSettings;
  readonly model: string;
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly retry: GeminiRetryOptions;
  readonly timing: Timing;
}

/** The parts of one request to the model. */
export interface GeminiCall extends GeminiErrand {
  readonly contents: readonly Content[];
  /** Already in Gemini's dialect. */
  readonly config: Readonly<GenerateContentConfig>;
}

/** The call that names a cache in the place of what the cache holds. */
export function withCache(call: GeminiCall, { name, contents }: ContextCacheEntry): GeminiCall {
  const rest = without(call.config, 'systemInstruction', 'tools', 'toolConfig');
  return { ...call, contents: call.contents.slice(contents), config: { ...rest, cachedContent: name } };
}

/** The request to @google/genai in one attempt. */
export function parametersOf(call: GeminiCall, attempt: GeminiAttempt): GenerateContentParameters {
  return {
    model: call.model,
    contents: call.contents as Content[],
    config: {
      ...call.config,
      abortSignal: attempt.signal,
      httpOptions: { ...call.config.httpOptions, fetch: attempt.fetch },
    },
  };
}
