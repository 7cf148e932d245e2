import type { Content } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import type { Awaitable } from '../runtime/awaitable.js';

/** What a summarizer is told besides the events. */
export interface SummarizeOptions {
  /** Aborted where nobody wants the summary any more, or after a minute. What goes on after that is left behind. */
  readonly signal: AbortSignal;
}

/**
 * Makes one content of many events. Its own container identifier: what is bound to it stands for
 * {@link LlmEventSummarizer}, and `compaction.summarizer` of `createRunner` for both.
 */
export abstract class EventSummarizer {
  /** Called once when a runner is created: a summarizer that lacks what it needs says so here. */
  ready(): Awaitable<void> {
    // A summarizer that needs nothing is ready.
  }

  /**
   * @param events oldest first; one that has `actions.compaction` is an earlier summary, and stands for what that
   * covers. They are shared and readonly
   * @returns what a model is to see in their place; undefined, or a content that says nothing, leaves them as they
   * are until the next run ends
   */
  abstract summarize(events: readonly Event[], options: SummarizeOptions): Promise<Content | undefined>;
}
