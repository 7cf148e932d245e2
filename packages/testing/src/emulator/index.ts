export {
  type AnswerContent,
  answersJson,
  answersWith,
  callsFunctions,
  embedsAs,
  type EmulatedCall,
  saysText,
  streamsJson,
} from './answer-steps.js';
export {
  cutsStream,
  type EmulatedFailure,
  failsWith,
  neverAnswers,
  resetsConnection,
  sendsMalformedJson,
  sendsNothing,
  slowly,
} from './fault-steps.js';
export { type CacheRequest, type GeminiCacheOptions, GeminiCaches } from './gemini-caches.js';
export { EmulatorExhaustedError, EmulatorLeftOverError } from './errors.js';
export {
  type GeminiEmulator,
  type GeminiEmulatorOptions,
  startAnthropicEmulator,
  startGeminiEmulator,
  startOpenAiEmulator,
} from './provider-emulators.js';
export type { ModelEmulator, ModelEmulatorOptions } from './http-emulator.js';
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
export type { LiveEmulatorConnection, LiveSteps } from './live/live-conversation.js';
export type { LiveEmulator, LiveScript } from './live/live-emulator.js';
export type { HeardContent, HeardMessage, HeardResult, LiveJson } from './live/live-message.js';
export * as liveWire from './live/live-script.js';
export type { AwaitingStep, FaultStep, LiveWireStep, LiveUsage, SayingStep } from './live/live-step.js';
export {
  LiveConnectionsLeftOverError,
  LiveScriptExhaustedError,
  LiveScriptLeftOverError,
} from './live/errors.js';
export { readWebSocketLog, type RecordedFrame, replaysConversation } from './live/read-websocket-log.js';
export { startGeminiLiveEmulator, startOpenAiRealtimeEmulator } from './live/start-live-emulators.js';
