export {
  AdornClient,
  type AnswerRequestOptions,
  type AppJson,
  type ArtifactJson,
  ClientSession,
  createAdornClient,
  type FeedbackOptions,
  type HistoryJson,
  type PostedMessage,
  type ProfileOfUser,
  readFrames,
  type RequestReference,
  type SendOptions,
} from './adorn-client.js';
export {
  type CallUiJson,
  isWaitingUiCall,
  type UiCallOutcome,
  type WaitingUiCall,
} from '../call-ui/call-ui-json.js';
export { AdornClientError, type AdornClientOptions } from './client-options.js';
export { ClientRun } from './client-run.js';
export type {
  AnswerFrame,
  CallFrame,
  EndFrame,
  ErrorFrame,
  EventJson,
  FileFrame,
  Frame,
  RequestFrame,
  ResultFrame,
  SessionJson,
  StateFrame,
  TextFrame,
} from '../frames/frame.js';
