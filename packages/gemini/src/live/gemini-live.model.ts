import { checkOptions } from '@adorn/core/backend';
import {
  type LiveCapabilities,
  type LiveConnection,
  type LiveConnectOptions,
  LiveModel,
  type LiveSetup,
  type ProviderToolKind,
  redactSettings,
} from '@adorn/core/backend';
import type { GoogleGenAI } from '@google/genai';

import { connectGemini } from '../gemini-client.js';
import type { GeminiOptions } from '../gemini-options.js';
import { checkBaseUrl, type GeminiSettings, readSettings, usesVertexAi } from '../gemini-settings.js';
import { generationOf } from '../provider-tools.js';
import { toLiveError } from './live-errors.js';
import { LiveFailedSignal, openConnection } from './open-connection.js';
import { GEMINI_OPTIONS } from '../gemini-option-rules.js';

/**
 * Gemini's Live API, by way of Google AI Studio or of Vertex AI. `GeminiModel` has it as its property `live`, with the
 * same options; it can be used alone as well.
 *
 * Making one is cheap: the environment is read and @google/genai loaded with the first connection. The connection is
 * `wss`, or `ws` to this machine, as `baseUrl` is https or http.
 *
 * @example
 * new GeminiLiveModel({ model: 'gemini-live-2.5-flash-preview' })
 */
export class GeminiLiveModel extends LiveModel {
  readonly name: string;
  private settings: GeminiSettings | undefined;
  private client: Promise<GoogleGenAI> | undefined;

  /** @throws GeminiSettingsInvalidError (`MODEL_UNAVAILABLE`) when `baseUrl` must not receive the API key. */
  constructor(private readonly options: GeminiOptions = {}) {
    super();
    checkOptions('new GeminiLiveModel', options, GEMINI_OPTIONS);
    checkBaseUrl(options.baseUrl);
    this.name = options.model ?? 'gemini-live-2.5-flash-preview';
  }

  /** `gcp.vertex_ai` or `gcp.gemini`. */
  override get provider(): string {
    return usesVertexAi(this.options, process.env) ? 'gcp.vertex_ai' : 'gcp.gemini';
  }

  /**
   * Models with native audio, and those from Gemini 3 on, answer only in speech. Calls that run while the model goes on
   * are known before Gemini 3, and not on Vertex AI.
   */
  get capabilities(): LiveCapabilities {
    const isAudioOnly = this.isNew || this.name.includes('native-audio');
    return {
      modalities: isAudioOnly ? ['audio'] : ['audio', 'text'],
      inputs: ['text', 'audio', 'video', 'activity'],
      inputRate: 16_000,
      outputRate: 24_000,
      transcribes: ['input', 'output'],
      resumes: true,
      updates: false,
      asyncCalls: this.asyncCalls,
      staysSilent: this.options.live?.proactiveAudio === true,
      interrupts: false,
      voices: true,
      providerTools: isAudioOnly ? ['googleSearch'] : PROVIDER_TOOLS,
    };
  }

  /** @throws GeminiKeyMissingError, GeminiSettingsInvalidError (`MODEL_UNAVAILABLE`) saying what to set */
  override ready(): void {
    this.settings ??= readSettings(this.options, process.env);
  }

  /**
   * @throws GeminiUnreachableError, GeminiKeyRefusedError (`MODEL_UNAVAILABLE`), GeminiModelNotFoundError
   * (`MODEL_NOT_FOUND`), GeminiLiveRefusedError (`MODEL_FAILED`), LiveNotSupportedError (`LIVE_NOT_SUPPORTED`) for settings
   * of the agent that a live connection does not have, and the signal's reason
   */
  override async connect(setup: LiveSetup, options: LiveConnectOptions): Promise<LiveConnection> {
    options.signal.throwIfAborted();
    const settings = (this.settings ??= readSettings(this.options, process.env));
    const { toLiveConfig } = await import('./live-config.js');
    const config = toLiveConfig(
      { name: this.name, asyncCalls: this.asyncCalls },
      setup,
      this.options.live ?? {},
    );
    const client = await (this.client ??= connectGemini(settings));
    try {
      const { connection, session } = await openConnection(
        {
          client,
          model: this.name,
          config,
          dialect: {
            textIsRealtime: this.isNew,
            asyncCalls: this.asyncCalls,
            vertexai: settings.vertexai,
            redact: (text) => redactSettings(text, settings),
          },
        },
        options,
      );
      connection.begin(session, setup.resume === undefined ? setup.history : []);
      return connection;
    } catch (error) {
      if (error instanceof LiveFailedSignal) throw toLiveError(error.failure, { model: this.name, settings });
      throw error;
    }
  }

  private get isNew(): boolean {
    return (generationOf(this.name) ?? 0) >= 3;
  }

  private get asyncCalls(): boolean {
    return !this.isNew && !usesVertexAi(this.options, process.env);
  }
}

const PROVIDER_TOOLS: readonly ProviderToolKind[] = ['googleSearch', 'codeExecution', 'urlContext'];
