export { AllowAll, DenyAll } from './confirmations/fixed-providers.js';
export * from './emulator/index.js';
export { HashEmbedder } from './embedders/hash.embedder.js';
export { eventsOf } from './events-of.js';
export { LiveReader, type LiveReaderOptions } from './live/live-reader.js';
export {
  after,
  callsAllLive,
  callsLive,
  cancelsCalls,
  drops,
  endsTurn,
  goesAway,
  hears,
  isInterrupted,
  isResumable,
  type LiveSent,
  type LiveStep,
  refuses,
  speaks,
  speech,
  twice,
  untilAudio,
  untilResponse,
  untilSent,
  untilState,
  untilText,
  untilYield,
  writes,
} from './live/live-step.js';
export { ScriptedLiveConnection } from './live/scripted-live-connection.js';
export { ScriptedLive } from './live/scripted.live.js';
export { TextLive, type TextLiveOptions } from './live/text.live.js';
export { ManualClock } from './manual.clock.js';
export * from './matchers/index.js';
export { pcm, type PcmOptions } from './microphone/pcm.js';
export { wavMicrophone, type WavMicrophoneOptions } from './microphone/wav-microphone.js';
export { OfflineModel } from '@adorn/offline';
export * from './recorded/index.js';
export { RunningClock } from './running.clock.js';
export { ScriptExhaustedError, ScriptLeftOverError } from './scripted/errors.js';
export type { ScriptsByAgent } from './scripted/script.js';
export { type CapturedRequest, ScriptedModel } from './scripted/scripted.model.js';
export { callsTool, callsTools, says, type ScriptedStep, streams } from './scripted/scripted-step.js';
export { toolContext, type ToolContextOptions } from './tool-context.js';
