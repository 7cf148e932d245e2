import type { Event, Session, SessionKey } from '@adorn/core';
import {
  EVENT_LOG,
  EventLog,
  INCARNATION,
  ScopedState,
  type RunRecord,
  type RunStatus,
  type SessionSummary,
  showFields,
} from '@adorn/core/backend';
import pLimit, { type LimitFunction } from 'p-limit';

import type { SizedEvent } from './event-body.js';
import { type SharedState, StateValues } from './shared-state.js';

/** The facts of a session besides its log and its state. */
type SessionFacts = Pick<SessionSummary, 'title' | 'lastUpdateTime' | 'lastRun'>;

/**
 * A fully loaded session, shared by all callers in this process. It is updated by appends of this process, and by
 * reading what other processes have appended since.
 */
export class CachedSession implements Session {
  declare readonly appName: string;
  declare readonly userId: string;
  declare readonly id: string;
  // The object is handed out, so its fields are private to the language.
  readonly #log = new EventLog();
  readonly #own = new StateValues();
  readonly #no: number;
  readonly #user: SharedState;
  readonly #app: SharedState;
  readonly #stored: ScopedState;
  readonly #inTurn = pLimit(1);
  #head: SessionFacts = { title: undefined, lastUpdateTime: 0, lastRun: undefined };
  #isDeleted = false;
  #stateSize = 0;
  #logSize = 0;

  constructor(key: SessionKey, no: number, user: SharedState, app: SharedState) {
    showFields(this, key);
    this.#no = no;
    this.#user = user;
    this.#app = app;
    this.#stored = new ScopedState({ app, user, session: this.#own });
  }

  /** The id of the row; a session that is deleted and created again gets another. */
  get no(): number {
    return this.#no;
  }

  get log(): EventLog {
    return this.#log;
  }

  /** The state of the session alone. */
  get own(): StateValues {
    return this.#own;
  }

  get user(): SharedState {
    return this.#user;
  }

  get app(): SharedState {
    return this.#app;
  }

  /** Runs the operations of this process on the session one after the other, in the order of the calls. */
  get inTurn(): LimitFunction {
    return this.#inTurn;
  }

  get title(): string | undefined {
    return this.#head.title;
  }

  get lastUpdateTime(): number {
    return this.#head.lastUpdateTime;
  }

  get lastRun(): RunRecord | undefined {
    return this.#head.lastRun;
  }

  /** True if this process has deleted the session, or knows that it is gone. */
  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  /** Marks the session as deleted. */
  delete(): void {
    this.#isDeleted = true;
  }

  /** Notes facts that were read or written. */
  note(facts: Partial<SessionFacts>): void {
    this.#head = { ...this.#head, ...facts };
  }

  /** Notes the length of the own state as it was read, as JSON. Later writes are in events. */
  noteStateSize(size: number): void {
    this.#stateSize = size;
  }

  get events(): readonly Event[] {
    return this.#log.copy;
  }

  get [EVENT_LOG](): EventLog {
    return this.#log;
  }

  get [INCARNATION](): number {
    return this.#no;
  }

  get nextSeq(): number {
    return this.#log.events.length;
  }

  get state(): Readonly<Record<string, unknown>> {
    return this.#stored.all;
  }

  /** About the bytes of memory that the session takes: the length of its events and its state as JSON. */
  get size(): number {
    return this.#logSize + this.#stateSize;
  }

  push({ event, size }: SizedEvent): void {
    this.#log.events.push(event);
    this.#logSize += size;
  }

  /** Sets the status of the last run, if it has the epoch. */
  setStatus(epoch: number, status: RunStatus): void {
    const run = this.lastRun;
    if (run?.epoch === epoch) this.note({ lastRun: Object.freeze({ ...run, status }) });
  }

  findState(key: string): unknown {
    return this.#stored.find(key);
  }
}
