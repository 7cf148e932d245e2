import {
  ANY,
  BOOLEAN,
  LIMIT,
  OBJECT,
  oneOf,
  type OptionRules,
  optionsOf,
  rule,
  secret,
  TEXT,
} from '@adorn/core/backend';

import type { OpenAiRealtimeOptions } from './openai-realtime-options.js';

const TURN_DETECTION: OptionRules<NonNullable<OpenAiRealtimeOptions['turnDetection']>> = {
  type: oneOf('server_vad', 'semantic_vad'),
  threshold: rule(
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'Pass a number from 0 to 1.',
  ),
  prefixPadding: LIMIT,
  silence: LIMIT,
  eagerness: oneOf('low', 'medium', 'high', 'auto'),
};

/** The options of `OpenAiRealtimeModel`. */
export const REALTIME_OPTIONS: OptionRules<OpenAiRealtimeOptions> = {
  model: TEXT,
  apiKey: secret(TEXT),
  // A URL is checked where it is known to receive the API key.
  baseUrl: ANY,
  headers: secret(OBJECT),
  transcriptionModel: TEXT,
  turnDetection: optionsOf(TURN_DETECTION),
  interruptible: BOOLEAN,
  noiseReduction: oneOf('near_field', 'far_field'),
};
