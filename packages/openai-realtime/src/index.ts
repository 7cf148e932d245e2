export {
  OpenAiRealtimeModelNotFoundError,
  OpenAiRealtimeRefusedError,
  OpenAiRealtimeUnavailableError,
} from './errors.js';
export { OpenAiRealtimeModel } from './openai-realtime.model.js';
export type { OpenAiRealtimeOptions } from './openai-realtime-options.js';
