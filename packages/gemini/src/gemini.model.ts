import { checkOptions } from '@adorn/core/backend';
import type { GoogleGenAI } from '@google/genai';
import { type Logger, Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { SYSTEM_TIMING, type Timing, type ProviderToolKind } from '@adorn/core/backend';

import { ContextCache } from './cache/context-cache.js';
import { isRefusalOfCache } from './cache/refused-cache.js';
import { toCacheMetadata } from './cache/to-cache-metadata.js';
import { type GeminiCall, withCache } from './gemini-call.js';
import { connectGemini } from './gemini-client.js';
import type { toGeminiConfig } from './request/gemini-config.js';
import type { GeminiOptions } from './gemini-options.js';
import { checkBaseUrl, type GeminiSettings, readSettings, usesVertexAi } from './gemini-settings.js';
import { combinesProviderTools, generationOf, supportsProviderTool } from './provider-tools.js';
import {
  toNamedContents,
  toOwnContents,
  toSignedContents,
  toVertexContents,
} from './request/gemini-contents.js';
import { GeminiLiveModel } from './live/gemini-live.model.js';
import { reachBaseUrl } from './reach-base-url.js';
import { streamedAnswer } from './answer/streamed-answer.js';
import { wholeAnswer } from './answer/whole-answer.js';
import { GEMINI_OPTIONS } from './gemini-option-rules.js';

const TEN_MINUTES = 600_000;

/**
 * Gemini, by way of Google AI Studio or of Vertex AI.
 *
 * Making one is cheap: the environment is read and @google/genai loaded when a runner is created with it, or with the first
 * request. Requests of one model share one client.
 *
 * @example
 * new GeminiModel({ model: 'gemini-2.5-pro', retry: { attempts: 3 } })
 */
export class GeminiModel extends Model {
  readonly name: string;
  private settings: GeminiSettings | undefined;
  private client: Promise<GoogleGenAI> | undefined;
  private liveModel: GeminiLiveModel | undefined;
  private toConfig: typeof toGeminiConfig | undefined;
  private readonly contextCache: ContextCache | undefined;

  /**
   * @param timing is for specs, which do not wait.
   * @throws GeminiSettingsInvalidError (`MODEL_UNAVAILABLE`) when `baseUrl` must not receive the API key.
   */
  constructor(
    private readonly options: GeminiOptions = {},
    private readonly timing: Timing = SYSTEM_TIMING,
  ) {
    super();
    checkOptions('new GeminiModel', options, GEMINI_OPTIONS);
    checkBaseUrl(options.baseUrl);
    this.name = options.model ?? 'gemini-2.5-flash';
    const { contextCache = false } = options;
    if (contextCache !== false)
      this.contextCache = new ContextCache(contextCache === true ? {} : contextCache);
  }

  /** `gcp.vertex_ai` or `gcp.gemini`. */
  override get provider(): string {
    return usesVertexAi(this.options, process.env) ? 'gcp.vertex_ai' : 'gcp.gemini';
  }

  /** True from Gemini 3 on; a name without a generation counts as older. */
  override get supportsSchemaBesideTools(): boolean {
    return (generationOf(this.name) ?? 0) >= 3;
  }

  /** From Gemini 2 on; some kinds only on Vertex AI, others only with an API key of Google AI Studio. */
  override supportsProviderTool(kind: ProviderToolKind): boolean {
    return supportsProviderTool(this.name, kind, usesVertexAi(this.options, process.env));
  }

  /** From Gemini 3 on, with an API key of Google AI Studio. */
  override get supportsFunctionsBesideProviderTools(): boolean {
    return combinesProviderTools(this.name, usesVertexAi(this.options, process.env));
  }

  /** The Live API with a model of the same name and the same options; not every model is offered there. */
  override get live(): GeminiLiveModel {
    return (this.liveModel ??= new GeminiLiveModel({ ...this.options, model: this.name }));
  }

  /**
   * Checks that there is something to ask Gemini with and, where a base URL is stated, that a server is there; a server
   * that refuses is logged as a warning. Google's own address is not tried.
   *
   * @throws GeminiKeyMissingError, GeminiSettingsInvalidError, GeminiUnreachableError (all `MODEL_UNAVAILABLE`)
   * saying what to set; the last one for an unknown host, unless `NODE_ENV` is `production`
   */
  override async ready(logger?: Logger): Promise<void> {
    const { baseUrl } = (this.settings ??= readSettings(this.options, process.env));
    if (baseUrl === undefined) return;
    await reachBaseUrl(baseUrl, process.env, (host, reason) => {
      const message = "a model's server cannot be reached; requests fail until it can be";
      logger?.warn(message, { model: this.name, host, reason });
    });
  }

  /**
   * @throws GeminiModelNotFoundError (`MODEL_NOT_FOUND`), GeminiKeyMissingError, GeminiKeyRefusedError,
   * GeminiUnreachableError (`MODEL_UNAVAILABLE`), GeminiFailedError (`MODEL_FAILED`), ContextTooLongError (`CONTEXT_TOO_LONG`), and the signal's reason once
   * the invocation is cancelled.
   */
  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const call = await this.prepare(request);
    const cache = await this.contextCache?.find(call, request.stable, request.logger);
    if (!cache) {
      yield* answersOf(call, request.stream);
      return;
    }
    try {
      for await (const answer of answersOf(withCache(call, cache), request.stream))
        yield answer.partial === true ? answer : { ...answer, cacheMetadata: toCacheMetadata(cache) };
    } catch (error) {
      if (!isRefusalOfCache(error)) throw error;
      this.contextCache?.forget(cache, this.timing.now());
      yield* answersOf(call, request.stream);
    }
  }

  private async prepare({ contents, config, signal }: ModelRequest): Promise<GeminiCall> {
    const settings = (this.settings ??= readSettings(this.options, process.env));
    const translated = toOwnContents(contents);
    const named = toNamedContents(translated);
    const own = (generationOf(this.name) ?? 0) >= 3 ? toSignedContents(named) : named;
    this.toConfig ??= (await import('./request/gemini-config.js')).toGeminiConfig;
    return {
      client: await (this.client ??= connectGemini(settings)),
      settings,
      model: this.name,
      contents: settings.vertexai ? toVertexContents(own) : own,
      config: this.toConfig(config, {
        combines: combinesProviderTools(this.name, settings.vertexai),
        declaresResults: this.options.declareResults === true,
      }),
      signal,
      timeout: this.options.timeout ?? TEN_MINUTES,
      retry: this.options.retry ?? {},
      timing: this.timing,
    };
  }
}

async function* answersOf(call: GeminiCall, stream: boolean): AsyncGenerator<ModelResponse, void, undefined> {
  if (stream) yield* streamedAnswer(call);
  else yield await wholeAnswer(call);
}
