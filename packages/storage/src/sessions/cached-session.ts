import type { Event, Session, SessionKey } from '@adorn/core';
import { EVENT_LOG, EventLog, ScopedState, type RunRecord, type RunStatus } from '@adorn/core/backend';
import pLimit from 'p-limit';

import type { SizedEvent } from './event-body.js';
import { type SharedState, StateValues } from './shared-state.js';

/**
 * A fully loaded session, shared by all callers in this process. It is updated by appends of this process, and by
 * reading what other processes have appended since.
 */
export class CachedSession implements Session {
  readonly appName: string;
  readonly userId: string;
  readonly id: string;
  readonly log = new EventLog();
  readonly own = new StateValues();
  title: string | undefined;
  lastUpdateTime = 0;
  lastRun: RunRecord | undefined;
  /** Runs the operations of this process on the session one after the other, in the order of the calls. */
  readonly inTurn = pLimit(1);
  /** The length of the own state as it was last read, as JSON. Later writes are in events. */
  stateSize = 0;
  private logSize = 0;
  private readonly stored: ScopedState;

  /** @param no the id of the row; a session that is deleted and created again gets another */
  constructor(
    key: SessionKey,
    readonly no: number,
    readonly user: SharedState,
    readonly app: SharedState,
  ) {
    this.appName = key.appName;
    this.userId = key.userId;
    this.id = key.sessionId;
    this.stored = new ScopedState({ app, user, session: this.own });
  }

  get events(): readonly Event[] {
    return this.log.copy;
  }

  get [EVENT_LOG](): EventLog {
    return this.log;
  }

  get nextSeq(): number {
    return this.log.events.length;
  }

  get state(): Readonly<Record<string, unknown>> {
    return this.stored.all;
  }

  /** About the bytes of memory that the session takes: the length of its events and its state as JSON. */
  get size(): number {
    return this.logSize + this.stateSize;
  }

  push({ event, size }: SizedEvent): void {
    this.log.events.push(event);
    this.logSize += size;
  }

  /** Sets the status of the last run, if it has the epoch. */
  setStatus(epoch: number, status: RunStatus): void {
    const run = this.lastRun;
    if (run?.epoch === epoch) this.lastRun = { ...run, status };
  }

  findState(key: string): unknown {
    return this.stored.find(key);
  }
}
