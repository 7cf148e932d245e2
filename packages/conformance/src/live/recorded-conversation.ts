import type { LiveSetup } from '@adorn/core/backend';
import type { GeminiOptions } from '@adorn/gemini';
import { type LiveJson, readWebSocketLog, type RecordedFrame } from '@adorn/testing';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { jsonSchemaOf } from '../gemini/json-schema-of.js';

/** A conversation with Gemini over a WebSocket, as another project has recorded it. */
export interface RecordedConversation {
  readonly path: string;
  readonly frames: readonly RecordedFrame[];
  /** The setup that the other client has sent. */
  readonly setup: LiveJson;
}

/** Every recorded conversation beneath a folder, by path. */
export async function listConversations(folder: string): Promise<RecordedConversation[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.websocket.log'),
  );
  return Promise.all(
    names.sort().map(async (path) => {
      const frames = await readWebSocketLog(join(folder, path));
      const first = JSON.parse(frames[0]?.text ?? '{}') as { readonly setup?: LiveJson };
      return { path, frames, setup: first.setup ?? {} };
    }),
  );
}

/** The same conversation as it would be on Vertex AI: the path of the model, and the names of its tokens. */
export function onVertex({ path, frames, setup }: RecordedConversation): RecordedConversation {
  const model = `publishers/google/${String(setup['model'])}`;
  return {
    path: `${path}, on Vertex AI`,
    setup: { ...setup, model },
    frames: frames.map(({ from, text }) => ({
      from,
      text: text.replaceAll('"responseToken', '"candidatesToken'),
    })),
  };
}

/** The options of a model that connects like the other client. Vertex AI names the publisher of a model. */
export function optionsOf({ setup, path }: RecordedConversation, baseUrl: string): GeminiOptions {
  const name = String(setup['model']);
  return {
    baseUrl,
    apiKey: 'the-key-of-a-test',
    vertexai: name.includes('publishers/') || /vertex/i.test(path),
    model: name.replace(/^.*models\//, ''),
    live: liveOptionsOf(setup),
  };
}

function liveOptionsOf(setup: LiveJson): NonNullable<GeminiOptions['live']> {
  const { proactivity, generationConfig } = setup as Readonly<Record<string, LiveJson | undefined>>;
  return {
    contextCompression: setup['contextWindowCompression'] !== undefined,
    proactiveAudio: proactivity?.['proactiveAudio'] === true,
    affectiveDialog: generationConfig?.['enableAffectiveDialog'] === true,
  };
}

interface RecordedSetup {
  readonly generationConfig?: LiveJson & {
    readonly responseModalities?: readonly string[];
    readonly speechConfig?: {
      readonly languageCode?: string;
      readonly voiceConfig?: { readonly prebuiltVoiceConfig?: { readonly voiceName?: string } };
    };
  };
  readonly systemInstruction?: { readonly parts?: readonly { readonly text?: string }[] };
  readonly tools?: readonly RecordedTool[];
  readonly inputAudioTranscription?: object;
  readonly outputAudioTranscription?: object;
  readonly realtimeInputConfig?: { readonly automaticActivityDetection?: { readonly disabled?: boolean } };
  readonly sessionResumption?: { readonly handle?: string };
}

interface RecordedTool {
  readonly functionDeclarations?: readonly (LiveJson & { readonly name: string })[];
}

/** The recorded setup as a session would state it. */
export function setupOf({ setup }: RecordedConversation): LiveSetup {
  const recorded = setup as RecordedSetup;
  const {
    responseModalities,
    speechConfig,
    enableAffectiveDialog: _option,
    ...config
  } = recorded.generationConfig ?? {};
  return {
    instruction: (recorded.systemInstruction?.parts ?? []).map(({ text }) => text ?? '').join(''),
    tools: (recorded.tools ?? []).map(declared),
    backgroundTools: backgroundTools(recorded.tools ?? []),
    history: [],
    modality: responseModalities?.[0] === 'TEXT' ? 'text' : 'audio',
    voice: speechConfig?.voiceConfig?.prebuiltVoiceConfig?.voiceName,
    language: speechConfig?.languageCode,
    transcribe: {
      input: recorded.inputAudioTranscription !== undefined,
      output: recorded.outputAudioTranscription !== undefined,
    },
    activity:
      recorded.realtimeInputConfig?.automaticActivityDetection?.disabled === true ? 'manual' : 'automatic',
    resume: recorded.sessionResumption?.handle,
    config: config,
  };
}

function declared(tool: RecordedTool): LiveSetup['tools'][number] {
  const functionDeclarations = tool.functionDeclarations?.map(({ name, description, parameters }) => ({
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters !== undefined && { parametersJsonSchema: jsonSchemaOf(parameters as LiveJson) }),
  }));
  return functionDeclarations ? { functionDeclarations } : (tool as LiveSetup['tools'][number]);
}

function backgroundTools(tools: readonly RecordedTool[]): string[] {
  return tools
    .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
    .filter(({ behavior }) => behavior === 'NON_BLOCKING')
    .map(({ name }) => name);
}
