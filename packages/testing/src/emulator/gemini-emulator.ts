import type { GeminiScript } from './gemini-script.js';
import { type ModelEmulator, type ModelEmulatorOptions, startEmulator } from './http-emulator.js';
import { GEMINI_WIRE } from './wires/gemini.wire.js';

export type GeminiEmulator = ModelEmulator;
export type GeminiEmulatorOptions = ModelEmulatorOptions;

/**
 * Starts an HTTP server on a free port of 127.0.0.1 that speaks Gemini's wire: `generateContent`,
 * `streamGenerateContent` and `batchEmbedContents`, in the paths of the Gemini API and of Vertex AI (where texts are
 * embedded by `predict`). It answers by the script; what the
 * script does not hold is answered with status 500 and remembered for `close`.
 *
 * @example
 * await using gemini = await startGeminiEmulator([callsFunctions({ name: 'now' }), saysText('Noon.')]);
 * const model = new GeminiModel({ baseUrl: gemini.url, apiKey: 'test' });
 */
export function startGeminiEmulator(
  script: GeminiScript,
  options: GeminiEmulatorOptions = {},
): Promise<GeminiEmulator> {
  return startEmulator([GEMINI_WIRE], script, options);
}
