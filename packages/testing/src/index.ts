export { AllowAll, DenyAll } from './confirmations/fixed-providers.js';
export * from './emulator/index.js';
export { HashEmbedder } from './embedders/hash.embedder.js';
export { eventsOf } from './events-of.js';
export { ManualClock } from './manual.clock.js';
export { OfflineModel } from './offline/offline.model.js';
export { ScriptExhaustedError, ScriptLeftOverError } from './scripted/errors.js';
export { type CapturedRequest, ScriptedModel } from './scripted/scripted.model.js';
export { callsTool, callsTools, says, type ScriptedStep, streams } from './scripted/scripted-step.js';
