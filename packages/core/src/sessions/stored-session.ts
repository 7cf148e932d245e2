import { RequestNotPendingError } from '../events/errors.js';
import type { Event } from '../events/event.js';
import {
  EVENT_LOG,
  EventLog,
  type Session,
  type SessionKey,
  type SessionSummary,
} from '../events/session.js';
import { copyJson, frozenJson } from '../json/json-value.js';
import { applyKey, scopeOf, type StateDelta, type StateScope } from '../state/state.js';
import { ownState, type StateUpdate } from './session-record.js';
import type { GetSessionOptions } from './session.service.js';

/** An in-memory session, shared by all callers. */
export class StoredSession implements Session {
  readonly appName: string;
  readonly userId: string;
  readonly id: string;
  private readonly log = new EventLog();
  lastUpdateTime: number;
  /** Set when the session is deleted: callers may still hold it, and must not append to it. */
  isDeleted = false;
  title: string | undefined;
  private readonly stored: ScopedState;
  private readonly updates: StateUpdate[] = [];
  private consumed: Set<string> | undefined;
  private epochs: Map<string, number> | undefined;

  /** @param shared the keys shared with other sessions of the application and of the user */
  constructor(
    key: SessionKey,
    shared: { readonly app: ScopeValues; readonly user: ScopeValues },
    now: number,
  ) {
    this.stored = new ScopedState({ app: shared.app, user: shared.user, session: new ScopeValues() });
    this.appName = key.appName;
    this.userId = key.userId;
    this.id = key.sessionId;
    this.lastUpdateTime = now;
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

  findState(key: string): unknown {
    return this.stored.find(key);
  }

  /** Claims the invocation and returns its new epoch. */
  claim(invocationId: string): number {
    this.epochs ??= new Map();
    const epoch = this.epochOf(invocationId) + 1;
    this.epochs.set(invocationId, epoch);
    return epoch;
  }

  /** The current epoch of the invocation; 0 if it was never claimed. */
  epochOf(invocationId: string): number {
    return this.epochs?.get(invocationId) ?? 0;
  }

  /**
   * Marks requests as answered, all or none.
   *
   * @throws {RequestNotPendingError} if one was answered before
   */
  consume(requestIds: readonly string[]): void {
    if (requestIds.length === 0) return;
    const consumed = (this.consumed ??= new Set());
    const answered = requestIds.find((id) => consumed.has(id));
    if (answered !== undefined) throw new RequestNotPendingError(answered);
    for (const id of requestIds) consumed.add(id);
  }

  get stateUpdates(): readonly StateUpdate[] {
    return [...this.updates];
  }

  push(event: Event): void {
    this.stored.apply(event.actions.stateDelta);
    this.log.events.push(event);
    this.lastUpdateTime = event.timestamp;
  }

  /** Writes to the state without an event. */
  update(delta: StateDelta): void {
    this.stored.apply(delta);
    const own = Object.entries(ownState(delta)).map(
      ([key, value]) => [key, frozenJson(value ?? null)] as const,
    );
    if (own.length === 0) return;
    const last = this.updates.at(-1);
    const earlier = last?.seq === this.nextSeq ? this.updates.pop()?.stateDelta : undefined;
    const stateDelta = Object.freeze({ ...earlier, ...Object.fromEntries(own) });
    this.updates.push({ seq: this.nextSeq, stateDelta });
  }

  summary(): SessionSummary {
    const { appName, userId, id, title, state, nextSeq, lastUpdateTime } = this;
    return { appName, userId, id, title, state, nextSeq, lastUpdateTime };
  }

  excerpt({
    afterSeq = -1,
    afterTimestamp = -Infinity,
    numRecentEvents = Infinity,
  }: GetSessionOptions): Session {
    const events = this.log.events
      .slice(Math.max(0, afterSeq + 1))
      .filter(({ timestamp }) => timestamp >= afterTimestamp);
    return { ...this.summary(), events: events.slice(Math.max(0, events.length - numRecentEvents)) };
  }
}

/** The scopes whose keys are stored. */
export type StoredScope = Exclude<StateScope, 'temp'>;

/** The keys of one scope, and the number of their changes. */
export class ScopeValues {
  /** Without a prototype, so that inherited names are not keys. */
  values = emptyState();
  /** Incremented by every visible change. */
  changes = 0;

  /** Writes a copy of the value, so that changing it in place does not affect the event; `null` removes the key. */
  apply(key: string, value: unknown): void {
    applyKey(this.values, key, copyJson(value));
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
    if (this.merged === undefined || this.mergedAt !== changes) {
      this.merged = Object.freeze(Object.assign(emptyState(), app.values, user.values, session.values));
      this.mergedAt = changes;
    }
    return this.merged;
  }
}

function emptyState(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
