import type { Database } from '../../database/database.js';
import { insertLoneEvents, type LoneEvent } from './insert-lone-events.js';

interface Waiting {
  readonly event: LoneEvent;
  readonly resolve: (isPlaced: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends to SQLite of events that are alone. Those of one turn of the event loop, from whatever sessions, are written
 * in one transaction and wait for the disk once; each is acknowledged when all of them are safe.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];

  constructor(private readonly database: Database) {}

  /** @returns false where the session is not as the writer knows it, or another process is writing: nothing is written */
  append(event: LoneEvent): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.writeAll());
      this.waiting.push({ event, resolve, reject });
    });
  }

  private async writeAll(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    const events = batch.map(({ event }) => event);
    try {
      const placed = await this.database.atOnce((statements) => insertLoneEvents(statements, events));
      for (const [index, { resolve }] of batch.entries()) resolve(placed?.[index] ?? false);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
