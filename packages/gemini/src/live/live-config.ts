import { LiveNotSupportedError, type LiveSetup } from '@adorn/core/backend';
import type {
  ActivityHandling,
  AutomaticActivityDetection,
  Behavior,
  EndSensitivity,
  FunctionDeclaration,
  GenerateContentConfig,
  LiveConnectConfig,
  Modality,
  RealtimeInputConfig,
  SpeechConfig,
  StartSensitivity,
  ToolListUnion,
} from '@google/genai';

import { toGeminiConfig } from '../request/gemini-config.js';
import type { GeminiLiveOptions } from './gemini-live-options.js';

/** The model, and what of it a config depends on. */
interface LiveTarget {
  readonly name: string;
  /** True if functions may be declared as NON_BLOCKING. */
  readonly asyncCalls: boolean;
}

/** The fields of a `GenerateContentConfig` that a live connection has as well. */
const APPLIED = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'mediaResolution',
  'seed',
  'thinkingConfig',
  'safetySettings',
  'labels',
] as const satisfies readonly (keyof GenerateContentConfig & keyof LiveConnectConfig)[];

/** Settings of the transport and of @google/genai's own loop over calls, none of which a connection has. */
const IGNORED: ReadonlySet<string> = new Set([
  ...APPLIED,
  'speechConfig',
  'abortSignal',
  'automaticFunctionCalling',
  'systemInstruction',
  'tools',
]);

/**
 * The setup as @google/genai takes it.
 *
 * @throws LiveNotSupportedError for settings of the agent that a live connection does not have
 */
export function toLiveConfig(
  target: LiveTarget,
  setup: LiveSetup,
  options: GeminiLiveOptions,
): LiveConnectConfig {
  checkConfig(target, setup);
  const { instruction, modality, transcribe, resume } = setup;
  return {
    ...Object.fromEntries(
      APPLIED.flatMap((field) => (setup.config[field] === undefined ? [] : [[field, setup.config[field]]])),
    ),
    responseModalities: [modality.toUpperCase() as unknown as Modality],
    ...(instruction !== '' && { systemInstruction: instruction }),
    ...speechOf(setup),
    ...toolsOf(target, setup),
    ...(transcribe.input && { inputAudioTranscription: {} }),
    ...(transcribe.output && modality === 'audio' && { outputAudioTranscription: {} }),
    ...realtimeInputOf(setup, options),
    ...compressionOf(options),
    ...(options.proactiveAudio === true && { proactivity: { proactiveAudio: true } }),
    ...(options.affectiveDialog === true && { enableAffectiveDialog: true }),
    sessionResumption: resume === undefined ? {} : { handle: resume },
  };
}

function checkConfig({ name }: LiveTarget, { config }: LiveSetup): void {
  const unknown = Object.entries(config).filter(
    ([field, value]) => value !== undefined && !IGNORED.has(field),
  );
  if (unknown.length === 0) return;
  throw new LiveNotSupportedError(
    name,
    unknown.map(([field]) => `no setting ${field} of generateContentConfig`),
  );
}

function speechOf({ voice, language, config }: LiveSetup): { speechConfig?: SpeechConfig } {
  const own = typeof config.speechConfig === 'object' ? config.speechConfig : undefined;
  if (voice === undefined && language === undefined) return own ? { speechConfig: own } : {};
  return {
    speechConfig: {
      ...own,
      ...(voice !== undefined && { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } }),
      ...(language !== undefined && { languageCode: language }),
    },
  };
}

function toolsOf(
  { asyncCalls }: LiveTarget,
  { tools, backgroundTools }: LiveSetup,
): { tools?: ToolListUnion } {
  const converted = toGeminiConfig({ tools: [...tools] }).tools;
  if (!converted || converted.length === 0) return {};
  if (!asyncCalls || backgroundTools.length === 0) return { tools: converted };
  const isBackground = new Set(backgroundTools);
  return {
    tools: converted.map((tool) =>
      'functionDeclarations' in tool ? withBehavior(tool, isBackground) : tool,
    ),
  };
}

function withBehavior<Declaring extends { functionDeclarations?: FunctionDeclaration[] }>(
  tool: Declaring,
  isBackground: ReadonlySet<string | undefined>,
): Declaring {
  const functionDeclarations = tool.functionDeclarations?.map((declaration) =>
    isBackground.has(declaration.name)
      ? { ...declaration, behavior: 'NON_BLOCKING' as unknown as Behavior }
      : declaration,
  );
  return { ...tool, functionDeclarations };
}

function realtimeInputOf(
  { activity }: LiveSetup,
  { activityDetection, interruptible }: GeminiLiveOptions,
): { realtimeInputConfig?: RealtimeInputConfig } {
  const detection = activity === 'manual' ? { disabled: true } : detectionOf(activityDetection);
  if (!detection && interruptible !== false) return {};
  return {
    realtimeInputConfig: {
      ...(detection && { automaticActivityDetection: detection }),
      ...(interruptible === false && { activityHandling: 'NO_INTERRUPTION' as unknown as ActivityHandling }),
    },
  };
}

function detectionOf(
  detection: GeminiLiveOptions['activityDetection'],
): AutomaticActivityDetection | undefined {
  if (!detection) return undefined;
  const { startSensitivity, endSensitivity, prefixPadding, silence } = detection;
  return {
    ...(startSensitivity && {
      startOfSpeechSensitivity:
        `START_SENSITIVITY_${startSensitivity.toUpperCase()}` as unknown as StartSensitivity,
    }),
    ...(endSensitivity && {
      endOfSpeechSensitivity: `END_SENSITIVITY_${endSensitivity.toUpperCase()}` as unknown as EndSensitivity,
    }),
    ...(prefixPadding !== undefined && { prefixPaddingMs: prefixPadding }),
    ...(silence !== undefined && { silenceDurationMs: silence }),
  };
}

function compressionOf({
  contextCompression = true,
}: GeminiLiveOptions): Pick<LiveConnectConfig, 'contextWindowCompression'> {
  if (contextCompression === false) return {};
  const { triggerTokens, targetTokens } = contextCompression === true ? {} : contextCompression;
  return {
    contextWindowCompression: {
      ...(triggerTokens !== undefined && { triggerTokens: String(triggerTokens) }),
      slidingWindow: targetTokens === undefined ? {} : { targetTokens: String(targetTokens) },
    },
  };
}
