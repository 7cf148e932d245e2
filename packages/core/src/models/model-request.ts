import type { Content, GenerateContentConfig } from '@google/genai';

/** What one call of a model is made with. */
export interface ModelRequest {
  /**
   * The conversation so far, oldest first. It does not change while the model is asked, also while it is asked again
   * after a failure. A model must not change it, and copies it to keep it longer; callbacks and tools replace it to
   * change what the model sees.
   */
  contents: readonly Content[];
  /** Shared between requests as well: replace it, or a property of it, on a copy. Tools carry `parametersJsonSchema`. */
  config: Readonly<GenerateContentConfig>;
  /** Yield the pieces as they come. */
  readonly stream: boolean;
  /** Aborted when the invocation is cancelled; made when it is first read. */
  readonly signal: AbortSignal;
}
