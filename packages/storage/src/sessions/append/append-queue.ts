import type { Database } from '../../database/database.js';
import type { PreparedStatements } from '../../database/sqlite/prepared-statements.js';
import { isEmpty } from '../state-write.js';
import { type EventWrite, IS_CURRENT } from './event-write.js';

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

/** A session as its writer knows it. */
interface SeenSession {
  readonly nextSeq: number;
  readonly stateVersion: number;
}

/** An event for the next position of a session, if no other writer has taken it. */
interface LoneEvent {
  readonly write: EventWrite;
  readonly seen: SeenSession;
}

/** True if only the event is written, as for most events. */
export function isAlone({ own, user, app, opens, consumes }: EventWrite): boolean {
  return opens.length === 0 && consumes.length === 0 && [own, user, app].every(isEmpty);
}

/**
 * Inserts events that are alone, one statement each: for SQLite, where a trigger moves their sessions on.
 *
 * @returns for each, whether it was inserted: not if its session is gone, or not as the writer knows it or expects it
 */
function insertLoneEvents(statements: PreparedStatements, events: readonly LoneEvent[]): boolean[] {
  return events.map((event) => insert(statements, event));
}

function insert(statements: PreparedStatements, { write, seen }: LoneEvent): boolean {
  const { sessionNo, id, invocationId, timestamp, body, expectedSeq, epoch, epochOf } = write;
  if (expectedSeq !== undefined && expectedSeq !== seen.nextSeq) return false;
  const parameters = [id, invocationId, timestamp, body, sessionNo, seen.nextSeq, seen.stateVersion];
  const { changes } =
    epoch === undefined
      ? statements.prepare(INSERT).run(parameters)
      : statements.prepare(INSERT_IF_CURRENT).run([...parameters, epochOf, epoch]);
  return changes > 0;
}

const INSERT = `
  insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body)
  select no, next_seq, ?, ?, ?, ? from adorn_sessions where no = ? and next_seq = ? and state_version = ?`;

const INSERT_IF_CURRENT = `${INSERT} and ${IS_CURRENT}`;
