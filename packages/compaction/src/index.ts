export { LlmEventSummarizer, type LlmEventSummarizerOptions } from './llm.event-summarizer.js';
export { sessionCompaction } from './session-compaction.module.js';
