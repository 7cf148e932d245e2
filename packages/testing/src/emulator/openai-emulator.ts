import type { GeminiScript } from './gemini-script.js';
import { type ModelEmulator, type ModelEmulatorOptions, startEmulator } from './http-emulator.js';
import { OPENAI_CHAT_WIRE } from './wires/openai-chat.wire.js';
import { OPENAI_RESPONSES_WIRE } from './wires/openai-responses.wire.js';

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
