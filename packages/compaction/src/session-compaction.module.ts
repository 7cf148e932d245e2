import { ContainerModule, type EventSummarizer, type Model } from '@adorn/core';
import { Compaction, type CompactorParts, type SessionCompactor } from '@adorn/core/backend';

import { Compactor } from './compactor.js';
import { LlmEventSummarizer } from './llm.event-summarizer.js';

/** Summaries by a model, kept in the log of the session. */
class LogCompaction extends Compaction {
  summarizerOf(model: Model): EventSummarizer {
    return new LlmEventSummarizer({ model });
  }

  compactorOf(parts: CompactorParts): SessionCompactor {
    return new Compactor(parts);
  }
}

/**
 * Summaries of long conversations, for runners with the option `compaction`. `createRunner` of `adorn` has this module.
 *
 * @example
 * const runner = await createRunner(Support, { modules: [sessionCompaction], compaction: { compactionInterval: 10 } });
 */
export const sessionCompaction = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(Compaction)) bind(Compaction).toConstantValue(new LogCompaction());
});
