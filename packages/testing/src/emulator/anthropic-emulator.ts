import type { GeminiScript } from './gemini-script.js';
import { type ModelEmulator, type ModelEmulatorOptions, startEmulator } from './http-emulator.js';
import { ANTHROPIC_WIRE } from './wires/anthropic.wire.js';

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
