import type { Content } from '../events/genai-types.js';
import type { Event } from '../events/event.js';
import { EventSummarizer, type SummarizeOptions } from './event-summarizer.js';

/** Answers when it is told to, and writes down what it was asked. */
export class DelayedSummarizer extends EventSummarizer {
  readonly asked: string[][] = [];
  readonly signals: AbortSignal[] = [];
  private readonly waiting: ((content: Content | undefined) => void)[] = [];
  private next: (() => Promise<never>) | undefined;

  /** Whether it owes an answer. */
  get isAsked(): boolean {
    return this.waiting.length > 0;
  }

  summarize(events: readonly Event[], { signal }: SummarizeOptions): Promise<Content | undefined> {
    this.asked.push(events.map(shapeOf));
    this.signals.push(signal);
    const { next } = this;
    this.next = undefined;
    return (
      next?.() ??
      new Promise((resolve) => {
        this.waiting.push(resolve);
      })
    );
  }

  /** The next time it is asked it does that instead. */
  failBy(next: () => Promise<never>): void {
    this.next = next;
  }

  answer(text: string): void {
    this.give({ role: 'user', parts: [{ text }] });
  }

  give(content: Content | undefined): void {
    this.waiting.shift()?.(content);
  }
}

function shapeOf({ content, actions: { compaction } }: Event): string {
  if (compaction !== undefined) return `summary ${compaction.compactedContent.parts?.at(-1)?.text ?? ''}`;
  const [part] = content?.parts ?? [];
  if (part?.functionCall !== undefined) return `?${part.functionCall.name ?? ''}`;
  return part?.functionResponse === undefined ? (part?.text ?? '') : `!${part.functionResponse.name ?? ''}`;
}
