import type { LiveRunInput } from '@adorn/core/backend';
import type { LiveLineOptions } from '../line/live-line.js';

/** The settings of a session that are the same for all its agents. */
export function lineOptionsOf(input: LiveRunInput): LiveLineOptions {
  const { model, voice, language, modality = 'audio', transcribe = {}, activity = 'automatic' } = input;
  const { connectTimeout = 10_000, reconnectLimit = 30_000, resume } = input;
  const { holdSpeech = false, onTripwire = 'end' } = input;
  const both = typeof transcribe === 'boolean' ? { input: transcribe, output: transcribe } : transcribe;
  return {
    model,
    voice,
    language,
    modality,
    transcribe: both,
    activity,
    connectTimeout,
    reconnectLimit,
    resume,
    holdSpeech,
    onTripwire,
  };
}
