import { AdornError } from '@adorn/core';

import type { Database, Queries } from '../../database/database.js';
import { isEmpty } from '../state-write.js';
import { type ClosingRow, writeToPostgres } from './append-to-postgres.js';
import type { AppendWrite, PlacedWrite } from './append-write.js';

/** How many statements are under way at once: what comes meanwhile goes into the next one. */
const MOST_STATEMENTS = 3;
/** How many writes go into one statement, and how many bytes before its last one. */
const MOST_WRITES = 200;
const MOST_BYTES = 4 * 1024 * 1024;

interface Waiting<Write, Result> {
  readonly write: Write;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type WaitingAppend = Waiting<AppendWrite, PlacedWrite | undefined>;
type WaitingClosing = Waiting<ClosingRow, undefined>;

interface Batch {
  readonly appends: readonly WaitingAppend[];
  readonly closings: readonly WaitingClosing[];
}

/**
 * Appends to PostgreSQL. Those of many sessions go into one statement: they share its round trip and its transaction. Runs
 * that have begun go before runs that begin, and these before the ends of runs.
 */
export class PostgresWriter {
  private readonly running: WaitingAppend[] = [];
  private readonly opening: WaitingAppend[] = [];
  private readonly closings: WaitingClosing[] = [];
  private underWay = 0;
  private isDue = false;

  constructor(private readonly database: Database) {}

  /** @returns undefined if the session is gone, or not as the writer expects it */
  append(write: AppendWrite): Promise<PlacedWrite | undefined> {
    if (!isEmpty(write.user) || !isEmpty(write.app)) return this.appendAlone(write);
    const { promise, waiting } = waitingFor<AppendWrite, PlacedWrite | undefined>(write);
    (write.opening ? this.opening : this.running).push(waiting);
    this.schedule();
    return promise;
  }

  close(closing: ClosingRow): Promise<void> {
    const { promise, waiting } = waitingFor<ClosingRow, undefined>(closing);
    this.closings.push(waiting);
    this.schedule();
    return promise;
  }

  private async appendAlone(write: AppendWrite): Promise<PlacedWrite | undefined> {
    const [placed] = await this.database.statement((queries) =>
      writeToPostgres(queries, { appends: [write], closings: [] }),
    );
    return placed;
  }

  private schedule(): void {
    if (this.isDue || this.underWay === MOST_STATEMENTS) return;
    this.isDue = true;
    void this.writeNext();
  }

  /** Chooses the writes when it has a connection, and those of this turn of the event loop are there. */
  private async writeNext(): Promise<void> {
    this.underWay++;
    let batch: Batch | undefined;
    const take = (): Batch => {
      this.isDue = false;
      return this.take();
    };
    try {
      await this.database.statement((queries) =>
        queries.connection().execute(async (connection) => {
          if (!batch) await new Promise(setImmediate);
          batch ??= take();
          await this.write(connection, batch);
        }),
      );
    } catch (error) {
      await this.refuse(batch ?? take(), error);
    } finally {
      this.underWay--;
      if (this.running.length + this.opening.length + this.closings.length > 0) this.schedule();
    }
  }

  /** One write of each session. */
  private take(): Batch {
    const sessions = new Set<number>();
    let bytes = 0;
    const isFit = (no: number, size: number): boolean => {
      if (sessions.size === MOST_WRITES || bytes >= MOST_BYTES || sessions.has(no)) return false;
      sessions.add(no);
      bytes += size;
      return true;
    };
    const appends = [this.running, this.opening].flatMap((waiting) =>
      takeFitting(waiting, ({ write }) => isFit(write.sessionNo, sizeOf(write))),
    );
    const closings = takeFitting(this.closings, ({ write }) => isFit(write.session_no, 0));
    return { appends, closings };
  }

  private async write(queries: Queries, { appends, closings }: Batch): Promise<void> {
    if (appends.length + closings.length === 0) return;
    const placed = await writeToPostgres(queries, {
      appends: appends.map(({ write }) => write),
      closings: closings.map(({ write }) => write),
    });
    for (const { resolve } of closings) resolve(undefined);
    for (const [index, append] of appends.entries()) {
      // Its row may have been locked: alone, it waits for it.
      if (!placed[index] && appends.length > 1) this.retryAlone(append);
      else append.resolve(placed[index]);
    }
  }

  /** A write that the database refuses fails alone. */
  private async refuse({ appends, closings }: Batch, error: unknown): Promise<void> {
    if (AdornError.is(error) || appends.length + closings.length === 1) {
      for (const { reject } of [...appends, ...closings]) reject(error);
      return;
    }
    for (const append of appends) this.retryAlone(append);
    await Promise.all(closings.map((closing) => this.closeAlone(closing)));
  }

  private retryAlone({ write, resolve, reject }: WaitingAppend): void {
    this.appendAlone(write).then(resolve, reject);
  }

  private async closeAlone({ write, resolve, reject }: WaitingClosing): Promise<void> {
    try {
      await this.database.statement((queries) =>
        writeToPostgres(queries, { appends: [], closings: [write] }),
      );
      resolve(undefined);
    } catch (error) {
      reject(error);
    }
  }
}

function waitingFor<Write, Result>(
  write: Write,
): { readonly promise: Promise<Result>; readonly waiting: Waiting<Write, Result> } {
  let waiting!: Waiting<Write, Result>;
  const promise = new Promise<Result>((resolve, reject) => (waiting = { write, resolve, reject }));
  return { promise, waiting };
}

/** Takes the ones that fit; the others stay in their order. */
function takeFitting<Item>(items: Item[], isFit: (item: Item) => boolean): Item[] {
  const taken: Item[] = [];
  const left: Item[] = [];
  for (const item of items.splice(0)) (isFit(item) ? taken : left).push(item);
  for (const item of left) items.push(item);
  return taken;
}

function sizeOf({ events }: AppendWrite): number {
  return events.reduce((size, { body }) => size + body.length, 0);
}
