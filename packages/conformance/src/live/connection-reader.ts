import type { LiveConnection, LiveEvent } from '@adorn/core/backend';

/** Far longer than anything here takes. */
const LIMIT_MS = 10_000;

/** Reads the events of a connection while a conversation is driven. */
export class ConnectionReader {
  readonly events: LiveEvent[] = [];
  private readonly reading: Promise<void>;
  private wake: () => void = () => undefined;
  private isOver = false;

  /** @param react called with each event as it comes */
  constructor(connection: LiveConnection, react: (event: LiveEvent) => void = () => undefined) {
    this.reading = this.read(connection, react);
  }

  /** Waits for this many events. Rejects if they do not come. */
  async untilCount(count: number): Promise<void> {
    const limit = setTimeout(() => {
      this.wake();
    }, LIMIT_MS);
    const end = performance.now() + LIMIT_MS;
    while (this.events.length < count && !this.isOver && performance.now() < end)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    clearTimeout(limit);
    if (this.events.length < count)
      throw new Error(`expected ${String(count)} events, got ${JSON.stringify(this.events)}`);
  }

  /** Waits for the end of the connection. */
  async untilEnd(): Promise<readonly LiveEvent[]> {
    await this.reading;
    return this.events;
  }

  private async read(connection: LiveConnection, react: (event: LiveEvent) => void): Promise<void> {
    for await (const event of connection) {
      this.events.push(event);
      react(event);
      this.wake();
    }
    this.isOver = true;
    this.wake();
  }
}
