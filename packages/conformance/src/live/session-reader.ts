import type { Event } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';

/** Far longer than anything here takes. */
const LIMIT_MS = 10_000;

/** Reads the events of a live session while it is driven. */
export class SessionReader {
  readonly events: Event[] = [];
  private readonly reading: Promise<void>;
  private wake: () => void = () => undefined;
  private isOver = false;

  /** @param react called with each event as it comes */
  constructor(
    live: LiveSession,
    private readonly react: (event: Event) => void = () => undefined,
  ) {
    this.reading = this.read(live);
  }

  /** Waits for a number of pieces, calls and ends of turns. Rejects if they do not come. */
  untilShown(count: number): Promise<void> {
    return this.until(() => this.events.filter(isShown).length >= count, `${String(count)} pieces`);
  }

  /** Waits until something holds of the events. @param what it, for the error if it never does */
  async until(isMet: () => boolean, what: string): Promise<void> {
    const limit = setTimeout(() => {
      this.wake();
    }, LIMIT_MS);
    const end = performance.now() + LIMIT_MS;
    while (!isMet() && !this.isOver && performance.now() < end)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    clearTimeout(limit);
    if (!isMet()) throw new Error(`expected ${what}, got ${JSON.stringify(this.events)}`);
  }

  /** Waits for the end of the session. */
  untilEnd(): Promise<void> {
    return this.reading;
  }

  private async read(live: LiveSession): Promise<void> {
    for await (const event of live) {
      this.events.push(event);
      this.react(event);
      this.wake();
    }
    this.isOver = true;
    this.wake();
  }
}

/** Something that the model has said, called or ended; not what was stored of it besides. */
function isShown({ partial, live, interrupted, turnComplete, functionCalls, author }: Event): boolean {
  if (!partial)
    return functionCalls.length > 0 || (turnComplete && author !== 'user' && interrupted !== true);
  return live === undefined || interrupted === true;
}
