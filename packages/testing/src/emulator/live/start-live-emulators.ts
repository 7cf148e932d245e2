import { GEMINI_LIVE_WIRE } from './gemini-live.wire.js';
import { type LiveEmulator, type LiveScript, startLiveEmulatorOf } from './live-emulator.js';
import { OPENAI_REALTIME_WIRE } from './openai-realtime.wire.js';

/**
 * Starts a WebSocket server on a free port of 127.0.0.1 that speaks Gemini's Live API, in the paths of the Gemini API and
 * of Vertex AI.
 *
 * @param script for each connection its steps, made by the functions of `liveWire` or by `replaysConversation`
 * @example
 * const { hearsText, writes, endsTurn } = liveWire;
 * await using gemini = await startGeminiLiveEmulator([[hearsText(), writes('Hello.'), endsTurn()]]);
 * const client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: gemini.url } });
 */
export function startGeminiLiveEmulator(script: LiveScript): Promise<LiveEmulator> {
  return startLiveEmulatorOf(GEMINI_LIVE_WIRE, script);
}

/**
 * Starts a WebSocket server on a free port of 127.0.0.1 that speaks OpenAI's Realtime API, `/v1/realtime`. It plays the
 * scripts of `startGeminiLiveEmulator`, and does of itself what the API does: it confirms items, commits and truncations,
 * ends a response that is cancelled, and refuses a second response while one is under way.
 */
export function startOpenAiRealtimeEmulator(script: LiveScript): Promise<LiveEmulator> {
  return startLiveEmulatorOf(OPENAI_REALTIME_WIRE, script);
}
