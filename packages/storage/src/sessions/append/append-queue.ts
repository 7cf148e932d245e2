import type { Database } from '../../database/database.js';
import type { PreparedStatements } from '../../database/sqlite/prepared-statements.js';
import { appendLone, type LoneAppend } from './append-to-sqlite.js';
import type { PlacedWrite } from './append-write.js';

interface Waiting {
  readonly append: LoneAppend;
  readonly resolve: (placed: PlacedWrite | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends of single events to SQLite. While several sessions are written, those of one turn of the event loop go into one
 * transaction and wait for the disk once; each is acknowledged when all of them are safe.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private latest: number | undefined;

  constructor(private readonly database: Database) {}

  /** @returns undefined if the session is not as the writer knows it: nothing is written */
  async append(append: LoneAppend): Promise<PlacedWrite | undefined> {
    if (this.isAmongOthers(append)) return this.wait(append);
    const [placed] = await this.write([append]);
    return placed;
  }

  /** The session that wrote last need not wait for others. */
  private isAmongOthers({ write: { sessionNo } }: LoneAppend): boolean {
    const isAnother = sessionNo !== this.latest;
    this.latest = sessionNo;
    return isAnother || this.waiting.length > 0;
  }

  private wait(append: LoneAppend): Promise<PlacedWrite | undefined> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.writeAll());
      this.waiting.push({ append, resolve, reject });
    });
  }

  private async writeAll(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    try {
      const placed = await this.write(batch.map(({ append }) => append));
      for (const [index, { resolve }] of batch.entries()) resolve(placed[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private write(appends: readonly LoneAppend[]): Promise<readonly (PlacedWrite | undefined)[]> {
    const isOne = appends.length === 1 && appends[0]?.write.opening === undefined;
    return this.database.atOnce((statements) => appendAll(statements, appends), { isOne });
  }
}

function appendAll(
  statements: PreparedStatements,
  appends: readonly LoneAppend[],
): (PlacedWrite | undefined)[] {
  return appends.map((append) => appendLone(statements, append));
}
