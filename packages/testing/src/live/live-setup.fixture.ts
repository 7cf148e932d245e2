import type { LiveSetup } from '@adorn/core/backend';

/** The set-up of a spoken conversation without tools and history. */
export const SETUP: LiveSetup = {
  instruction: 'Be kind.',
  tools: [],
  backgroundTools: [],
  history: [],
  modality: 'audio',
  transcribe: { input: true, output: true },
  activity: 'automatic',
  config: {},
};
