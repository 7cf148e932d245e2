import { AI_SDK_WIRES, GEMINI, type ProviderWire } from '../models/provider-wires.js';

const NAMES: ReadonlySet<string> = new Set([
  'OpenAI responses, v3',
  'OpenAI chat completions, v3',
  'Anthropic messages, v3',
]);

/** The wires on which a long conversation is recorded. */
export const RECORDED_WIRES: readonly ProviderWire[] = [
  GEMINI,
  ...AI_SDK_WIRES.filter(({ name }) => NAMES.has(name)),
];
