export { type AnswerContent, answersJson, answersWith, streamsJson } from './answers-with.js';
export { sendsMalformedJson, sendsNothing } from './body-faults.js';
export { callsFunctions, type EmulatedCall } from './calls-functions.js';
export { cutsStream, neverAnswers, resetsConnection, slowly } from './connection-faults.js';
export { embedsAs } from './embeds-as.js';
export { EmulatorExhaustedError } from './emulator-exhausted.error.js';
export { EmulatorLeftOverError } from './emulator-left-over.error.js';
export { type EmulatedFailure, failsWith } from './fails-with.js';
export { startAnthropicEmulator } from './anthropic-emulator.js';
export { type GeminiEmulator, type GeminiEmulatorOptions, startGeminiEmulator } from './gemini-emulator.js';
export type { ModelEmulator, ModelEmulatorOptions } from './http-emulator.js';
export { startOpenAiEmulator } from './openai-emulator.js';
export type { GeminiRequest } from './gemini-request.js';
export type { GeminiScript, GeminiScriptEntry } from './gemini-script.js';
export type { GeminiAnswer, GeminiStep } from './gemini-step.js';
export { readHttprr } from './read-httprr.js';
export { readLoneAnswer } from './read-lone-answer.js';
export { readReplay } from './read-replay.js';
export {
  plays,
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
} from './recorded-exchange.js';
export { saysText } from './says-text.js';
