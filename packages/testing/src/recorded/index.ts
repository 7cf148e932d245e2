export {
  CassetteInvalidError,
  CassetteLeftOverError,
  CassetteMissError,
  CassetteNotReplayableError,
  RecordedFailureError,
  RecordingOptionError,
  SessionNotRecordableError,
} from './errors.js';
export { type FetchRecordingOptions, type RecordedFetch, recordedFetch } from './http/recorded-fetch.js';
export { recordedLive, RecordedLiveModel } from './live/recorded.live.js';
export { recorded, RecordedModel } from './recorded.model.js';
export type { RecordingMode, RecordingOptions } from './recording-options.js';
export { recordSession, type SessionRecordingOptions } from './session/record-session.js';
export {
  type CassetteReplay,
  type CassetteReplayOptions,
  replayCassette,
  type ReplayDifference,
} from './session/replay-cassette.js';
