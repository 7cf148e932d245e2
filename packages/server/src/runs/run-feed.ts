import type { Event, Run, SessionKey } from '@adorn/core';

import { endingOf, type RunEnding } from '../frames/to-wire.js';
import { EventQueue } from './event-queue.js';
import type { RunItem, RunReader } from './run-reader.js';

/** How many items a reader may be behind before the run waits for it. */
const MOST_UNREAD = 4;

/** Milliseconds between two looks for readers at other servers, at least. */
const LEAST_GRACE_MS = 1_000;

/** Tells whether a run has a reader at another server with the same store. */
export type IsReadElsewhere = (key: SessionKey, invocationId: string) => Promise<boolean>;

/**
 * A run that several readers follow, one after another or at the same time. It reads the run, keeps the events, and waits
 * for its slowest reader, whose stream drops it if it takes nothing. When the last reader leaves, the run is cancelled
 * after a grace.
 */
export class RunFeed {
  /** Resolves when the run has ended and its last event is stored. Never rejects. */
  readonly ended: Promise<RunEnding>;
  private ending: RunEnding | undefined;
  private readonly events: Event[] = [];
  /** The pieces of the answer that is being streamed. */
  private pieces: Event[] = [];
  private readonly readers = new Set<EventQueue<RunItem>>();
  private proceed: (() => void) | undefined;
  private isStopping = false;
  private graceEnds: NodeJS.Timeout | undefined;

  /** @param graceMs milliseconds until a run without readers is cancelled; `Infinity`: it goes on without them */
  constructor(
    readonly key: SessionKey,
    private readonly run: Run<unknown>,
    private readonly graceMs: number,
    private readonly isReadElsewhere?: IsReadElsewhere,
  ) {
    this.ended = this.pump();
  }

  get invocationId(): string {
    return this.run.invocationId;
  }

  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  /** Whether the feed has a stored event, which its readers get. */
  has(eventId: string): boolean {
    return this.events.some(({ id }) => id === eventId);
  }

  /** Cancels the run. Its readers get the event `CANCELLED` and the ending. */
  stop(): void {
    this.isStopping = true;
    this.run.cancel();
    this.proceed?.();
  }

  /**
   * Follows the run: the events after a given one, then those to come, then the ending.
   *
   * @param afterEventId the id of the last stored event that the reader has. Default: all events. The pieces of an answer
   *   that is being streamed are repeated
   */
  follow(afterEventId?: string): RunReader {
    const queue = new EventQueue<RunItem>(() => this.proceed?.());
    const seen = this.events.findIndex(({ id }) => id === afterEventId);
    for (const event of [...this.events.slice(seen + 1), ...this.pieces])
      queue.push({ kind: 'event', event });
    if (this.ending !== undefined) queue.push({ kind: 'end', ending: this.ending });
    this.readers.add(queue);
    clearTimeout(this.graceEnds);
    return {
      next: () => queue.next(),
      leave: () => {
        this.remove(queue);
      },
    };
  }

  private remove(queue: EventQueue<RunItem>): void {
    if (!this.readers.delete(queue)) return;
    queue.leave();
    if (this.readers.size > 0 || this.hasEnded) return;
    if (this.graceMs === 0) void this.stopUnlessRead();
    else if (this.graceMs !== Infinity) this.stopAfter(this.graceMs);
  }

  private stopAfter(milliseconds: number): void {
    clearTimeout(this.graceEnds);
    this.graceEnds = setTimeout(() => void this.stopUnlessRead(), milliseconds).unref();
  }

  /** Cancels the run, unless a reader has come back, here or at another server. */
  private async stopUnlessRead(): Promise<void> {
    const isRead = await this.isReadElsewhere?.(this.key, this.invocationId).catch(() => false);
    if (this.readers.size > 0 || this.hasEnded) return;
    if (isRead === true) this.stopAfter(Math.max(this.graceMs, LEAST_GRACE_MS));
    else this.stop();
  }

  private async pump(): Promise<RunEnding> {
    try {
      for await (const event of this.run) {
        this.add(event);
        await this.readersCaughtUp();
      }
    } catch {
      // The ending has the error.
    }
    const ending = await endingOf(this.run, this.key.sessionId);
    this.ending = ending;
    clearTimeout(this.graceEnds);
    this.pieces = [];
    for (const reader of this.readers) reader.push({ kind: 'end', ending });
    return ending;
  }

  private add(event: Event): void {
    if (event.partial) this.pieces.push(event);
    else {
      this.events.push(event);
      this.pieces = [];
    }
    for (const reader of this.readers) reader.push({ kind: 'event', event });
  }

  /** A run that is stopped waits for nobody: what is left of it is short. */
  private async readersCaughtUp(): Promise<void> {
    while (!this.isStopping && [...this.readers].some(({ size }) => size >= MOST_UNREAD)) {
      await new Promise<void>((resolve) => {
        this.proceed = resolve;
      });
      this.proceed = undefined;
    }
  }
}
