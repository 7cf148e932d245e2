import type { Content } from '../events/genai-types.js';
import type { Event } from '../events/event.js';
import { shareClass } from '../metadata/shared-class.js';
import type { ModelResponse } from '../models/model-response.js';
import type { Model, ModelRequest } from '../models/model.js';
import type { Awaitable } from '../runtime/awaitable.js';

/** Options of a summary. */
export interface SummarizeOptions {
  /** Aborted if the summary is cancelled, or after a minute. The result is ignored from then on. */
  readonly signal: AbortSignal;
  /** The bytes of conversation that the summary may be made of, because a model takes no more. Default: no limit. */
  readonly longest?: number;
  /** Asks a model, seen by plugins that observe. Default: `model.generate(request)`. */
  readonly ask?: (model: Model, request: ModelRequest) => AsyncIterable<ModelResponse>;
}

/**
 * Summarises events as one content. Its own container identifier: a binding replaces `LlmEventSummarizer`, and
 * `compaction.summarizer` of `createRunner` replaces both.
 */
export abstract class EventSummarizer {
  static {
    shareClass(this, 'EventSummarizer');
  }

  /** Called once when a runner is created. Throw here if something that the summarizer needs is missing. */
  ready(): Awaitable<void> {
    // Nothing is needed by default.
  }

  /**
   * Summarises the events, oldest first. Undefined leaves the conversation without a new summary.
   *
   * @param events oldest first, shared and readonly; an event with `actions.compaction` is an earlier summary, in place
   * of the events that it covers
   * @returns the content that models see in their place; if undefined or empty, nothing changes until the next run ends
   */
  abstract summarize(events: readonly Event[], options: SummarizeOptions): Promise<Content | undefined>;
}
