import type { Database } from '../../database/database.js';
import { insertLoneEvents, type LoneEvent } from './insert-lone-events.js';

interface Waiting {
  readonly event: LoneEvent;
  readonly resolve: (isPlaced: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends to SQLite of events that are alone. While several sessions are written, those of one turn of the event loop
 * go into one transaction and wait for the disk once; each is acknowledged when all of them are safe.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private latest: number | undefined;

  constructor(private readonly database: Database) {}

  /** @returns false if the session is not as the writer knows it: nothing is written */
  async append(event: LoneEvent): Promise<boolean> {
    if (this.isAmongOthers(event)) return this.wait(event);
    const [isPlaced = false] = await this.write([event]);
    return isPlaced;
  }

  /** The session that wrote last need not wait for others. */
  private isAmongOthers({ write: { sessionNo } }: LoneEvent): boolean {
    const isAnother = sessionNo !== this.latest;
    this.latest = sessionNo;
    return isAnother || this.waiting.length > 0;
  }

  private wait(event: LoneEvent): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.writeAll());
      this.waiting.push({ event, resolve, reject });
    });
  }

  private async writeAll(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    try {
      const placed = await this.write(batch.map(({ event }) => event));
      for (const [index, { resolve }] of batch.entries()) resolve(placed[index] ?? false);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private write(events: readonly LoneEvent[]): Promise<readonly boolean[]> {
    const isOne = events.length === 1;
    return this.database.atOnce((statements) => insertLoneEvents(statements, events), { isOne });
  }
}
