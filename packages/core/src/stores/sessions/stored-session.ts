import { RequestNotPendingError } from '../../events/errors.js';
import type { Event } from '../../events/event.js';
import type { Mail } from '../../events/mail.js';
import {
  openedRun,
  type RenewedHold,
  type RunHold,
  type RunOpening,
  type RunRecord,
  type RunStatus,
} from '../../events/run-record.js';
import {
  EVENT_LOG,
  EventLog,
  INCARNATION,
  type Session,
  type SessionKey,
  type SessionSummary,
  showFields,
  withIncarnation,
} from '../../events/session.js';
import { frozenJson } from '@adorn/schema';
import { applyKey, scopeOf, type StateDelta, type StateScope } from '../../events/state.js';
import { ownState, type StateUpdate } from './session-record.js';
import type { GetSessionOptions } from './session.service.js';

/** How the process of the open run holds it. Times are milliseconds since 1970. */
interface StoredHold {
  /** Undefined if no process renews it. */
  renewedAt?: number | undefined;
  readAt?: number;
  isReleased?: boolean;
  isCancelRequested?: boolean;
}

/** An in-memory session, shared by all callers. */
export class StoredSession implements Session {
  declare readonly appName: string;
  declare readonly userId: string;
  declare readonly id: string;
  // The object is handed out, so its fields are private to the language.
  readonly #log = new EventLog();
  readonly #stored: ScopedState;
  readonly #updates: StateUpdate[] = [];
  #lastUpdateTime: number;
  #isDeleted = false;
  #title: string | undefined;
  #consumed: Set<string> | undefined;
  #lastRun: RunRecord | undefined;
  #runs: Map<string, RunRecord> | undefined;
  #unfinishedRuns = 0;
  #hold: StoredHold | undefined;
  #mail: Map<string, Mail> | undefined;

  /** @param shared the keys shared with other sessions of the application and of the user */
  constructor(
    key: SessionKey,
    shared: { readonly app: ScopeValues; readonly user: ScopeValues },
    now: number,
  ) {
    this.#stored = new ScopedState({ app: shared.app, user: shared.user, session: new ScopeValues() });
    this.#lastUpdateTime = now;
    showFields(this, key);
  }

  get lastUpdateTime(): number {
    return this.#lastUpdateTime;
  }

  get title(): string | undefined {
    return this.#title;
  }

  /** The run that took the session last. */
  get lastRun(): RunRecord | undefined {
    return this.#lastRun;
  }

  /** True if the session was deleted: callers may still hold it, and must not append to it. */
  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  /** Marks the session as deleted. */
  delete(): void {
    this.#isDeleted = true;
  }

  rename(title: string): void {
    this.#title = title;
  }

  get events(): readonly Event[] {
    return this.#log.copy;
  }

  get [EVENT_LOG](): EventLog {
    return this.#log;
  }

  get [INCARNATION](): object {
    return this;
  }

  get nextSeq(): number {
    return this.#log.events.length;
  }

  get state(): Readonly<Record<string, unknown>> {
    return this.#stored.all;
  }

  findState(key: string): unknown {
    return this.#stored.find(key);
  }

  /** Every run, in the order of their ids' first openings. */
  get allRuns(): Iterable<RunRecord> {
    return this.#runs?.values() ?? [];
  }

  /** True if a run is open or paused. */
  get hasUnfinishedRun(): boolean {
    return this.#unfinishedRuns > 0;
  }

  /** Opens a run. An open run with another id ends, and so does the run that it continues. */
  open(opening: RunOpening): RunRecord {
    const last = this.#lastRun;
    if (last?.status === 'open' && last.id !== opening.id) this.record(withStatus(last, 'ended'));
    const continued = opening.continues === undefined ? undefined : this.#runs?.get(opening.continues);
    if (continued) this.record(withStatus(continued, 'ended'));
    const run = openedRun(opening, this.#runs?.get(opening.id));
    this.record(run);
    this.#hold = { renewedAt: opening.isHeld === true ? Date.now() : undefined };
    return (this.#lastRun = run);
  }

  /** The hold of the open run. */
  get runHold(): RunHold | undefined {
    const hold = this.#hold;
    const run = this.#lastRun;
    if (run?.status !== 'open') return undefined;
    const { renewedAt, readAt, isReleased = false, isCancelRequested = false } = hold ?? {};
    const now = Date.now();
    return {
      id: run.id,
      epoch: run.epoch,
      silentFor: renewedAt === undefined ? undefined : Math.max(0, now - renewedAt),
      isReleased,
      isCancelRequested,
      readBefore: readAt === undefined ? undefined : Math.max(0, now - readAt),
    };
  }

  /** Renews the hold of a run. */
  renew(run: Pick<RunRecord, 'id' | 'epoch'>): RenewedHold {
    const hold = this.heldBy(run);
    if (!hold) return this.#lastRun?.epoch === run.epoch ? 'held' : 'lost';
    hold.renewedAt = Date.now();
    return hold.isCancelRequested === true ? 'cancelled' : 'held';
  }

  /** Changes the hold of a run. False if the run is not open under this epoch. */
  changeHold(run: Pick<RunRecord, 'id' | 'epoch'>, change: StoredHold): boolean {
    const hold = this.heldBy(run);
    if (!hold) return false;
    Object.assign(hold, change);
    return true;
  }

  private heldBy({ id, epoch }: Pick<RunRecord, 'id' | 'epoch'>): StoredHold | undefined {
    const run = this.#lastRun;
    return run?.status === 'open' && run.id === id && run.epoch === epoch ? this.#hold : undefined;
  }

  /** Sets the status of a run, unless it was opened again. */
  close({ id, epoch }: Pick<RunRecord, 'id' | 'epoch'>, status: RunStatus): void {
    const run = this.#runs?.get(id);
    if (run?.epoch !== epoch) return;
    const closed = withStatus(run, status);
    this.record(closed);
    if (this.#lastRun === run) this.#lastRun = closed;
  }

  private record(run: RunRecord): void {
    const runs = (this.#runs ??= new Map<string, RunRecord>());
    this.#unfinishedRuns += isUnfinished(run) - isUnfinished(runs.get(run.id));
    runs.set(run.id, run);
  }

  /**
   * Marks requests as answered, all or none.
   *
   * @throws {RequestNotPendingError} if one was answered before
   */
  consume(requestIds: readonly string[]): void {
    if (requestIds.length === 0) return;
    const consumed = (this.#consumed ??= new Set());
    const answered = requestIds.find((id) => consumed.has(id));
    if (answered !== undefined) throw new RequestNotPendingError(answered);
    for (const id of requestIds) consumed.add(id);
  }

  /** What was sent and not deleted, the oldest first. */
  get mail(): readonly Mail[] {
    return [...(this.#mail?.values() ?? [])];
  }

  get hasMail(): boolean {
    return this.#mail !== undefined && this.#mail.size > 0;
  }

  keepMail(mail: Mail): void {
    (this.#mail ??= new Map<string, Mail>()).set(mail.id, mail);
  }

  deleteMail(id: string): boolean {
    return this.#mail?.delete(id) === true;
  }

  get stateUpdates(): readonly StateUpdate[] {
    return [...this.#updates];
  }

  push(event: Event): void {
    this.#stored.apply(event.actions.stateDelta);
    this.#log.events.push(event);
    this.#lastUpdateTime = event.timestamp;
  }

  /**
   * Writes to the state without an event.
   *
   * @param now default: the session was updated last when it was before
   */
  update(delta: StateDelta, now = this.#lastUpdateTime): void {
    this.#stored.apply(delta);
    this.#lastUpdateTime = now;
    const own = Object.entries(ownState(delta)).map(
      ([key, value]) => [key, frozenJson(value ?? null)] as const,
    );
    if (own.length === 0) return;
    const last = this.#updates.at(-1);
    const earlier = last?.seq === this.nextSeq ? this.#updates.pop()?.stateDelta : undefined;
    const stateDelta = Object.freeze({ ...earlier, ...Object.fromEntries(own) });
    this.#updates.push(Object.freeze({ seq: this.nextSeq, stateDelta }));
  }

  summary(): SessionSummary {
    const { appName, userId, id, title, state, nextSeq, lastUpdateTime, lastRun } = this;
    return { appName, userId, id, title, state, nextSeq, lastUpdateTime, lastRun };
  }

  excerpt({
    afterSeq = -1,
    afterTimestamp = -Infinity,
    numRecentEvents = Infinity,
  }: GetSessionOptions): Session {
    const log = numRecentEvents === 0 ? [] : this.#log.events;
    const events = log
      .slice(Math.max(0, afterSeq + 1))
      .filter(({ timestamp }) => timestamp >= afterTimestamp);
    const newest = events.slice(Math.max(0, events.length - numRecentEvents));
    return Object.freeze(withIncarnation({ ...this.summary(), events: Object.freeze(newest) }, this));
  }
}

/** Without a spread, which would cost more than the rest of the write. */
function isUnfinished(run: RunRecord | undefined): 0 | 1 {
  return !run || run.status === 'ended' ? 0 : 1;
}

function withStatus(run: RunRecord, status: RunStatus): RunRecord {
  const { id, continues, epoch, openedAt, attempts } = run;
  return Object.freeze({ id, continues, status, epoch, openedAt, attempts });
}

/** The scopes whose keys are stored. */
export type StoredScope = Exclude<StateScope, 'temp'>;

/** The keys of one scope, and the number of their changes. */
export class ScopeValues {
  /** The keys of the scope with their values. */
  values: Record<string, unknown> = NO_STATE;
  /** Incremented by every visible change. */
  changes = 0;

  /** True if no key has a value. */
  get isEmpty(): boolean {
    for (const _key in this.values) return false;
    return true;
  }

  /** Removes every key. Returns how many there were. */
  clear(): number {
    const { length } = Object.keys(this.values);
    this.values = NO_STATE;
    this.changes++;
    return length;
  }

  /** Writes the value, or a frozen copy if it is not frozen; `null` removes the key. */
  apply(key: string, value: unknown): void {
    if (this.values === NO_STATE) this.values = emptyState();
    applyKey(this.values, key, frozenJson(value));
    this.changes++;
  }
}

/** The stored state of a session: its own keys, and those that it shares with its user and its application. */
export class ScopedState {
  private merged: Readonly<Record<string, unknown>> | undefined;
  private mergedAt = -1;

  constructor(private readonly scopes: Readonly<Record<StoredScope, ScopeValues>>) {}

  /** The value of one key, read from its scope in constant time. */
  find(key: string): unknown {
    const scope = scopeOf(key);
    return scope === 'temp' ? undefined : this.scopes[scope].values[key];
  }

  /** Writes each key to the scope that its prefix names; `temp:` keys are left out. */
  apply(delta: StateDelta): void {
    for (const key in delta) {
      const scope = scopeOf(key);
      if (scope !== 'temp') this.scopes[scope].apply(key, delta[key]);
    }
  }

  /** A frozen copy of all keys, in linear time. Cached until the next change. */
  get all(): Readonly<Record<string, unknown>> {
    const { app, user, session } = this.scopes;
    const changes = app.changes + user.changes + session.changes;
    if (!this.merged || this.mergedAt !== changes) {
      this.merged = Object.freeze(Object.assign(emptyState(), app.values, user.values, session.values));
      this.mergedAt = changes;
    }
    return this.merged;
  }
}

/** Without a prototype, so that inherited names are not keys. */
export function emptyState(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** The state of those to whom nobody has written. */
export const NO_STATE = Object.freeze(emptyState());
