import type { Event } from '../../events/event.js';
import type { Clock } from '../../runtime/clock.js';

type Step = IteratorResult<Event, void>;

/** The most events that wait for a reader; see {@link LiveOutput.isOverfull}. */
const MAX_UNREAD = 20_000;

/**
 * The events of a live session on their way to its reader. Speech enters without a promise, and leaves the queue at once
 * when the model is interrupted. Nobody waits for the reader.
 */
export class LiveOutput {
  private queue: Entry[] = [];
  private readonly readers: ((step: Step) => void)[] = [];
  private isOver = false;
  private hasReader = false;
  private isDetached = false;
  private takenMs = 0;
  private firstTakenAt: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** True if the reader has begun, and leaves so much unread that the session cannot go on. */
  get isOverfull(): boolean {
    return this.hasReader && this.queue.length > MAX_UNREAD;
  }

  /** @param audioMs the length of the speech in the event */
  push(event: Event, audioMs = 0): void {
    if (this.isOver) return;
    const entry = { event, audioMs };
    const reader = this.readers.shift();
    if (reader) reader({ done: false, value: this.taken(entry) });
    else if (!this.isLeft(event)) this.queue.push(entry);
  }

  next(): Promise<Step> {
    this.hasReader = true;
    const entry = this.queue.shift();
    if (entry) return Promise.resolve({ done: false, value: this.taken(entry) });
    if (this.isOver) return Promise.resolve(DONE);
    return new Promise((resolve) => this.readers.push(resolve));
  }

  /** Drops the speech that the reader has not taken. */
  dropAudio(): void {
    if (this.queue.some(isAudio)) this.queue = this.queue.filter((entry) => !isAudio(entry));
  }

  /** Milliseconds of the answer that can have been heard: what the reader has taken, and not more than time has passed. */
  get playedMs(): number {
    if (this.firstTakenAt === undefined) return 0;
    return Math.min(this.takenMs, (this.clock.now() - this.firstTakenAt) * 1000);
  }

  /** Counts what is played from here: another answer begins. */
  beginAnswer(): void {
    this.takenMs = 0;
    this.firstTakenAt = undefined;
  }

  /** Keeps nothing for a reader that has not begun: the session is only awaited. */
  detach(): void {
    if (this.hasReader) return;
    this.isDetached = true;
    this.queue = [];
  }

  end(): void {
    this.isOver = true;
    for (const reader of this.readers.splice(0)) reader(DONE);
  }

  private taken({ event, audioMs }: Entry): Event {
    if (audioMs > 0) {
      this.firstTakenAt ??= this.clock.now();
      this.takenMs += audioMs;
    }
    return event;
  }

  /** True if the event is not kept: there is no reader, and it is a piece that nobody will miss. */
  private isLeft({ partial }: Event): boolean {
    if (this.hasReader) return false;
    return this.isDetached || (partial && this.queue.length > MAX_UNREAD);
  }
}

interface Entry {
  readonly event: Event;
  readonly audioMs: number;
}

const DONE: Step = Object.freeze({ done: true, value: undefined });

function isAudio({ audioMs }: Entry): boolean {
  return audioMs > 0;
}
