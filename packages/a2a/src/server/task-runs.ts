import type { Event, Logger, Run } from '@adorn/core';

import { Unread } from '../protocol/unread.js';

/** How many events a subscriber may leave unread; further pieces of streamed answers are dropped for it. */
const MOST_UNREAD = 1_000;

/** A run of a task in this process, which any number of requests follow. It goes on without them. */
export class TaskRun {
  private readonly readers = new Set<Unread<Event>>();
  private hasEnded = false;
  /** Resolves at the end of the run, however it ends. */
  readonly ended: Promise<void>;
  /** What the run threw before it began, such as an answer that does not fit. */
  error: unknown;

  constructor(
    readonly taskId: string,
    readonly userId: string,
    private readonly run: Run<unknown>,
    private readonly logger: Logger,
  ) {
    this.ended = this.pump();
  }

  /** The events from now on. @param signal ends it */
  async *follow(signal?: AbortSignal): AsyncGenerator<Event, void, undefined> {
    const reader = new Unread<Event>();
    if (this.hasEnded) return;
    this.readers.add(reader);
    const stop = (): void => {
      reader.end();
    };
    signal?.addEventListener('abort', stop);
    try {
      for (;;) {
        const event = await reader.next();
        if (event === undefined) return;
        yield event;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      this.readers.delete(reader);
    }
  }

  cancel(): void {
    this.run.cancel();
  }

  private async pump(): Promise<void> {
    let isBegun = false;
    try {
      for await (const event of this.run) {
        isBegun = true;
        for (const reader of this.readers)
          if (!event.partial || reader.size < MOST_UNREAD) reader.push(event);
      }
    } catch (error) {
      if (isBegun) this.logger.error('a run of an A2A task failed', { task: this.taskId, error });
      else this.error = error;
    } finally {
      this.hasEnded = true;
      for (const reader of this.readers) reader.end();
    }
  }
}
