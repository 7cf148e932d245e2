import { type GeminiCacheOptions, GeminiCaches } from './gemini-caches.js';
import type { GeminiScript } from './gemini-script.js';
import { type ModelEmulator, type ModelEmulatorOptions, startEmulator } from './http-emulator.js';
import { ANTHROPIC_WIRE } from './wires/anthropic.wire.js';
import { GEMINI_WIRE } from './wires/gemini.wire.js';
import { OPENAI_CHAT_WIRE } from './wires/openai-chat.wire.js';
import { OPENAI_RESPONSES_WIRE } from './wires/openai-responses.wire.js';

/** A running emulator of the Gemini API. */
export interface GeminiEmulator extends ModelEmulator {
  /** What is cached at it, and what it was asked about caches. */
  readonly caches: GeminiCaches;
}

export interface GeminiEmulatorOptions extends ModelEmulatorOptions {
  readonly caches?: GeminiCacheOptions;
}

/**
 * Starts an HTTP server on a free port of 127.0.0.1 that speaks Gemini's wire: `generateContent`,
 * `streamGenerateContent` and `batchEmbedContents`, in the paths of the Gemini API and of Vertex AI (where texts are
 * embedded by `predict`). It answers by the script; requests beyond the script get status 500, and `close` rejects. It
 * keeps `cachedContents`, too, for which no script is needed.
 *
 * @example
 * await using gemini = await startGeminiEmulator([callsFunctions({ name: 'now' }), saysText('Noon.')]);
 * const model = new GeminiModel({ baseUrl: gemini.url, apiKey: 'test' });
 */
export async function startGeminiEmulator(
  script: GeminiScript,
  options: GeminiEmulatorOptions = {},
): Promise<GeminiEmulator> {
  const caches = new GeminiCaches(options.caches);
  return Object.assign(await startEmulator([GEMINI_WIRE], script, options, caches), { caches });
}

/**
 * Starts an HTTP server on a free port of 127.0.0.1 that speaks OpenAI's wire: `/v1/chat/completions`, as compatible
 * servers do, and `/v1/responses`. It answers by the same scripts as `startGeminiEmulator`.
 *
 * @example
 * await using server = await startOpenAiEmulator([callsFunctions({ name: 'now' }), saysText('Noon.')]);
 * const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'test' });
 */
export function startOpenAiEmulator(
  script: GeminiScript,
  options: ModelEmulatorOptions = {},
): Promise<ModelEmulator> {
  return startEmulator([OPENAI_CHAT_WIRE, OPENAI_RESPONSES_WIRE], script, options);
}

/**
 * Starts an HTTP server on a free port of 127.0.0.1 that speaks Anthropic's wire, `/v1/messages`. It answers by the
 * same scripts as `startGeminiEmulator`.
 *
 * @example
 * await using server = await startAnthropicEmulator([saysText('Noon.')]);
 * const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'test' });
 */
export function startAnthropicEmulator(
  script: GeminiScript,
  options: ModelEmulatorOptions = {},
): Promise<ModelEmulator> {
  return startEmulator([ANTHROPIC_WIRE], script, options);
}
