export {
  CassetteInvalidError,
  CassetteLeftOverError,
  CassetteMissError,
  RecordedFailureError,
  RecordingOptionError,
} from './errors.js';
export { recorded, RecordedModel, type RecordingMode, type RecordingOptions } from './recorded.model.js';
