import type { Content, GenerateContentConfig, Tool as WireTool } from '@google/genai';

import { AdornError } from '@adorn/schema';
import { shareClass } from '../metadata/shared-class.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Logger } from '../runtime/logger.js';
import type { LiveModel } from './live/live.model.js';
import type { ModelResponse } from './model-response.js';
import { publishedWindow } from './published-window.js';

/** A kind of tool that the provider of a model runs itself, by its field in a request, such as `googleSearch`. */
export type ProviderToolKind = Exclude<keyof WireTool, 'functionDeclarations' | 'mcpServers'>;

/**
 * A language model: contents and declarations in, contents and calls out.
 *
 * An abstract class rather than an interface, so that it is its own container identifier:
 * `bind(Model).toConstantValue(new GeminiModel({ model: 'gemini-2.5-flash' }))`.
 */
export abstract class Model {
  static {
    shareClass(this, 'Model');
  }

  /** The provider's name of the model, such as `gemini-2.5-flash`. */
  abstract readonly name: string;

  /** The provider, in the words of OpenTelemetry's `gen_ai.provider.name` where there is one. Default: `unknown`. */
  get provider(): string {
    return 'unknown';
  }

  /**
   * How many tokens a request may have, and its answer with it. Default: what is published for a model of this name;
   * undefined if nothing is.
   */
  get contextWindow(): number | undefined {
    return publishedWindow(this.name);
  }

  /**
   * True if the model accepts a response schema together with function declarations. If not, an agent's output schema
   * is declared as a tool, and its call is the answer.
   */
  get supportsSchemaBesideTools(): boolean {
    return true;
  }

  /** True if the provider runs tools of this kind while the model answers. Default: false. */
  supportsProviderTool(_kind: ProviderToolKind): boolean {
    return false;
  }

  /** True if a request may have tools that the provider runs together with function declarations. Default: false. */
  get supportsFunctionsBesideProviderTools(): boolean {
    return false;
  }

  /** The model for spoken conversations with this model; undefined if the provider has none. */
  get live(): LiveModel | undefined {
    return undefined;
  }

  /**
   * Called once when a runner is created. Throw here if something is missing, such as an API key; log a warning for what
   * may pass, such as a server that is down. Must not call the model.
   *
   * @param _logger the logger of the runner
   */
  ready(_logger?: Logger): Awaitable<void> {
    // A model that needs nothing is ready.
  }

  /**
   * Calls the model once. Yields one response, or, with `request.stream`, the pieces as they arrive, each marked
   * `partial`, and then the complete response.
   *
   * Errors of the answer (blocked, empty or malformed) are responses with an `errorCode`. Errors of the call (no key,
   * no network, rejected after all retries) are thrown.
   */
  abstract generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined>;
}

/**
 * Creates models by name, as in `@agent({ model: 'gemini-2.5-flash' })`. Its own container identifier; the package
 * `adorn` binds the provider of Gemini.
 */
export abstract class ModelProvider {
  static {
    shareClass(this, 'ModelProvider');
  }

  /** The model with that name; undefined if it is not a model of this provider. */
  abstract modelOf(name: string): Model | undefined;
}

/** How much of a request later requests of the conversation begin with. */
export interface StablePart {
  /** The characters of the system instruction that do not depend on the state or the user. */
  readonly instruction: number;
  /** How many contents, from the first on, come before anything that is added for this run only, such as memories. */
  readonly earlier: number;
  /** How many contents, from the first on, come before anything that is appended to this request only. */
  readonly contents: number;
}

/** The request of one model call. */
export interface ModelRequest {
  /**
   * The conversation so far, oldest first. A model gets an array of its own request, which does not change while it is asked,
   * even when it is asked again after a failure: a model must not change it either. Callbacks and tools may change or replace
   * theirs.
   */
  contents: readonly Content[];
  /** Shared between requests as well: replace it, or a property of it, on a copy. Tools carry `parametersJsonSchema`. */
  config: Readonly<GenerateContentConfig>;
  /** True to yield the pieces of the answer as they arrive. */
  readonly stream: boolean;
  /** How much of it later requests begin with; absent if unknown. A provider that caches is told to cache that much. */
  readonly stable?: StablePart;
  /** Aborted when the run is cancelled, and not by a run that ended well; created when first read. A callback may replace it by one that follows it. */
  signal: AbortSignal;
  /** The name of the agent that asks; absent if the model is asked outside of a run. */
  readonly agentName?: string;
  /** The logger of the runner; absent if the model is asked outside of a run. */
  readonly logger?: Logger;
}

/** A combination of models, or an option of a model, is not valid. */
export class ModelConfigInvalidError extends AdornError {
  readonly code = 'MODEL_CONFIG_INVALID';

  /**
   * @param owner the function or class that was called
   * @param fault what is wrong, without its period
   * @param cure a sentence
   */
  constructor(owner: string, fault: string, cure: string) {
    super(`${owner} cannot be used: ${fault}. ${cure}`);
  }
}
