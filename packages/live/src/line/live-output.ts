import type { Clock, Event } from '@adorn/core';
import { Channel } from '@adorn/core/backend';

/** The most events that wait for a reader; see {@link LiveOutput.isOverfull}. */
const MAX_UNREAD = 20_000;

/**
 * The events of a live session on their way to its reader. Speech enters without a promise, and leaves the queue at once
 * when the model is interrupted. Nobody waits for the reader.
 */
export class LiveOutput {
  private readonly channel = Channel.unbounded<Entry>();
  private isOver = false;
  private hasReader = false;
  private isDetached = false;
  private takenMs = 0;
  private firstTakenAt: number | undefined;

  /** What an answer has brought that is not checked yet. */
  private held: Entry[] = [];

  /** @param holdsAnswers the pieces of an answer wait for `release` */
  constructor(
    private readonly clock: Clock,
    private readonly holdsAnswers = false,
  ) {}

  /** True if the reader has begun, and leaves so much unread that the session cannot go on. */
  get isOverfull(): boolean {
    return this.hasReader && this.channel.size > MAX_UNREAD;
  }

  /** @param audioMs the length of the speech in the event */
  push(event: Event, audioMs = 0): void {
    if (this.isOver || this.isLeft(event)) return;
    if (this.holdsAnswers && isOfAnswer(event)) this.held.push({ event, audioMs });
    else this.channel.push({ event, audioMs });
  }

  /** Passes on what was held back: the answer is checked. */
  release(): void {
    for (const entry of this.held.splice(0)) this.channel.push(entry);
  }

  async next(): Promise<IteratorResult<Event, void>> {
    this.hasReader = true;
    const { done, value } = await this.channel.next();
    return done === true ? { done, value } : { done: false, value: this.taken(value) };
  }

  /** Drops the speech that the reader has not taken. */
  dropAudio(): void {
    this.held = [];
    this.channel.drop(isAudio);
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
    this.channel.drop();
  }

  end(): void {
    this.isOver = true;
    this.channel.end();
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
    return this.isDetached || (partial && this.channel.size > MAX_UNREAD);
  }
}

interface Entry {
  readonly event: Event;
  readonly audioMs: number;
}

/** True for a piece of what the model says. */
function isOfAnswer({ partial, content, outputTranscription }: Event): boolean {
  return partial && (content?.role === 'model' || outputTranscription !== undefined);
}

function isAudio({ audioMs }: Entry): boolean {
  return audioMs > 0;
}
