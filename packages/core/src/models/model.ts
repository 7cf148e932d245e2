import type { Content, GenerateContentConfig } from '@google/genai';

import type { Awaitable } from '../runtime/awaitable.js';
import type { ModelResponse } from './model-response.js';

/**
 * A language model: contents and declarations in, contents and calls out.
 *
 * An abstract class rather than an interface, so that it is its own container identifier:
 * `bind(Model).toConstantValue(new GeminiModel({ model: 'gemini-2.5-flash' }))`.
 */
export abstract class Model {
  /** What the model is called where it is served, such as `gemini-2.5-flash`. */
  abstract readonly name: string;

  /**
   * Whether the model takes a response schema beside function declarations. Where it does not, an agent's output
   * schema is offered to it as a tool whose call is the answer.
   */
  get supportsSchemaBesideTools(): boolean {
    return true;
  }

  /**
   * Called once when a runner is created: a model that lacks what it needs, such as a key, says so here and not in
   * the middle of a conversation. It asks the model nothing.
   */
  ready(): Awaitable<void> {
    // A model that needs nothing is ready.
  }

  /**
   * Asks the model once. Without `request.stream` it yields one response. With it, it yields the pieces as they
   * come, each marked `partial`, and then one response that holds the whole.
   *
   * What the model itself got wrong (a block, an empty or malformed answer) is a response with an `errorCode`;
   * what kept it from being asked (no key, no network, a refusal after all retries) is thrown.
   */
  abstract generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined>;
}

/**
 * Makes models of their names, as in `@agent({ model: 'gemini-2.5-flash' })`. Its own container identifier; the
 * package `adorn` binds Gemini's.
 */
export abstract class ModelProvider {
  /** Undefined for a name that is not of this provider. */
  abstract modelOf(name: string): Model | undefined;
}

/** What one call of a model is made with. */
export interface ModelRequest {
  /**
   * The conversation so far, oldest first. It does not change while the model is asked, even when the model is asked
   * again after a failure. A model must not change the array. To keep it after the answer, keep the request or a copy.
   * Callbacks and tools get an array of their own when they first read it, and may change or replace it.
   */
  contents: readonly Content[];
  /** Shared between requests as well: replace it, or a property of it, on a copy. Tools carry `parametersJsonSchema`. */
  config: Readonly<GenerateContentConfig>;
  /** Yield the pieces as they come. */
  readonly stream: boolean;
  /** Aborted when the invocation is cancelled; made when it is first read. */
  readonly signal: AbortSignal;
}
