import { RequestNotPendingError } from '../events/errors.js';
import {
  EVENT_LOG,
  EventLog,
  type Session,
  type SessionKey,
  type SessionSummary,
} from '../events/session.js';
import type { Event } from '../events/event.js';
import { frozenJson } from '../json/json-value.js';
import type { StateDelta } from '../state/state.js';
import { ScopedState, ScopeValues } from './scoped-state.js';
import { ownState, type StateUpdate } from './session-record.js';
import type { GetSessionOptions } from './session.service.js';

/** An in-memory session, shared by all callers. */
export class StoredSession implements Session {
  readonly appName: string;
  readonly userId: string;
  readonly id: string;
  private readonly log = new EventLog();
  lastUpdateTime: number;
  /** Callers may hold it still, and nothing they append to it would ever be found. */
  isDeleted = false;
  title: string | undefined;
  private readonly stored: ScopedState;
  private readonly updates: StateUpdate[] = [];
  private consumed: Set<string> | undefined;
  private epochs: Map<string, number> | undefined;

  /** @param shared the keys that other sessions of the application and of the user read as well */
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
