import { LiveNotSupportedError, type LiveSetup, type LiveSetupChange } from '@adorn/core/backend';
import type {
  RealtimeAudioConfigInput,
  RealtimeAudioInputTurnDetection,
  RealtimeFunctionTool,
  RealtimeSessionCreateRequest,
} from 'openai/resources/realtime/realtime';

import type { OpenAiRealtimeOptions } from './openai-realtime-options.js';

/** PCM16 at this rate is what the API hears and speaks. */
export const RATE = 24_000;

/**
 * The setup as a `session` of `session.update`.
 *
 * @throws LiveNotSupportedError for settings that the API does not have
 */
export function toSession(
  model: string,
  setup: LiveSetup,
  options: OpenAiRealtimeOptions,
): RealtimeSessionCreateRequest {
  checkSetup(model, setup);
  const { config, modality, voice } = setup;
  return {
    ...toSessionChange(setup),
    output_modalities: [modality],
    audio: {
      input: inputOf(setup, options),
      output: { format: { type: 'audio/pcm', rate: RATE }, voice },
    },
    max_output_tokens: config.maxOutputTokens,
    tool_choice: CHOICES[config.toolConfig?.functionCallingConfig?.mode ?? ''],
  };
}

/** What can be changed while the connection is open. */
export function toSessionChange({
  instruction,
  tools,
}: Pick<LiveSetupChange, 'instruction' | 'tools'>): RealtimeSessionCreateRequest {
  return { type: 'realtime', instructions: instruction, tools: tools.flatMap((tool) => functionsOf(tool)) };
}

/** Settings of @google/genai's transport and loop, which no model has. */
const KNOWN: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'toolConfig',
  'abortSignal',
  'automaticFunctionCalling',
  'systemInstruction',
  'tools',
]);

function checkSetup(model: string, { config, language, transcribe }: LiveSetup): void {
  const unknown = Object.entries(config).filter(([field, value]) => value !== undefined && !KNOWN.has(field));
  const faults = unknown.map(([field]) => `no setting ${field} of generateContentConfig`);
  if (language !== undefined && !transcribe.input)
    faults.push('no choice of a language without transcripts of what the user says');
  if (faults.length > 0) throw new LiveNotSupportedError(model, faults);
}

function inputOf(
  { activity, language, transcribe }: LiveSetup,
  options: OpenAiRealtimeOptions,
): RealtimeAudioConfigInput {
  const { transcriptionModel = 'gpt-4o-mini-transcribe', noiseReduction } = options;
  return {
    format: { type: 'audio/pcm', rate: RATE },
    turn_detection: activity === 'manual' ? null : detectionOf(options),
    transcription: transcribe.input
      ? { model: transcriptionModel, language: language?.replace(/-.*/, '') }
      : undefined,
    noise_reduction: noiseReduction && { type: noiseReduction },
  };
}

function detectionOf({
  turnDetection = {},
  interruptible = true,
}: OpenAiRealtimeOptions): RealtimeAudioInputTurnDetection {
  const { type = 'server_vad', threshold, prefixPadding, silence, eagerness } = turnDetection;
  const common = { create_response: true, interrupt_response: interruptible };
  if (type === 'semantic_vad') return { type, ...common, eagerness };
  return {
    type,
    ...common,
    threshold,
    prefix_padding_ms: prefixPadding,
    silence_duration_ms: silence,
  };
}

function functionsOf(tool: LiveSetup['tools'][number]): RealtimeFunctionTool[] {
  const declarations = 'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [];
  return declarations.map(({ name = '', description, parametersJsonSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: parametersJsonSchema ?? { type: 'object', properties: {} },
  }));
}

const CHOICES: Readonly<Record<string, 'auto' | 'required' | 'none' | undefined>> = {
  AUTO: 'auto',
  ANY: 'required',
  NONE: 'none',
};
