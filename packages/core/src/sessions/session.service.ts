import type { Event } from '../events/event.js';
import type { Session, SessionKey, SessionSummary } from '../events/session.js';
import type { StateDelta } from '../state/state.js';
import { NotSupportedError } from './errors.js';
import { ownState, removalOf, type SessionRecord, type StateUpdate, withOwnState } from './session-record.js';

/** The events of a session to load. Default: all. */
export interface GetSessionOptions {
  /** Only this number of newest events. */
  readonly numRecentEvents?: number;
  /** Only events with a greater sequence number. The first event has 0. */
  readonly afterSeq?: number;
  /** Only events of that time or later, in seconds since 1970. */
  readonly afterTimestamp?: number;
}

/** A part of a list. */
export interface Page {
  /** Default: no limit. */
  readonly limit?: number;
  readonly offset?: number;
}

/** The sessions to list, by their last event. */
export interface LastEventQuery {
  /** Only sessions whose last event is older, in seconds since 1970. */
  readonly before: number;
  /** Only sessions whose last event is of that time or later. Default: all. */
  readonly since?: number;
  /** Called with the last event of each session of that time. */
  readonly matches: (lastEvent: Event) => boolean;
}

/** A session that was found by its last event. */
export interface FoundSession extends SessionKey {
  readonly lastEvent: Event;
}

/** Conditions of an append, and writes in the same transaction. */
export interface AppendOptions {
  /** Append only if the event gets this sequence number. Default: append at any position. */
  readonly expectedSeq?: number;
  /** The epoch that `claimInvocation` returned to this writer. Default: the epoch is not checked. */
  readonly epoch?: number;
  /** The invocation that the epoch is of. Default: that of the event. */
  readonly epochOf?: string;
  /** The ids of the requests that the event answers: each can be answered once. */
  readonly consumes?: readonly string[];
}

/** The key of a store's synchronous `appendEvent`. */
export const APPEND_AT_ONCE = Symbol.for('adorn:appendAtOnce');

/** `appendEvent` without a promise: errors are thrown synchronously. */
export type AppendAtOnce = (session: Session, event: Event, options: AppendOptions) => Session;

/**
 * Stores conversations: their events and their state.
 *
 * An abstract class rather than an interface, so that it is its own container identifier:
 * `bind(SessionService).to(InMemorySessionService)`.
 * Every implementation passes `describeSessionService` from `@adorn/testing/contracts`.
 */
export abstract class SessionService {
  /**
   * @param state the initial state: `app:` and `user:` keys are stored in their scopes, `temp:` keys are dropped
   * @throws {SessionExistsError} if the session exists
   * @throws {NameTooLongError} if a name or a state key has more than `MAX_NAME_BYTES`
   */
  abstract createSession(key: SessionKey, state?: StateDelta): Promise<Session>;

  abstract getSession(key: SessionKey, options?: GetSessionOptions): Promise<Session | undefined>;

  /** The user's conversations without their events, the latest first. */
  abstract listSessions(owner: Omit<SessionKey, 'sessionId'>, page?: Page): Promise<SessionSummary[]>;

  /** @throws {SessionNotFoundError} */
  abstract updateSession(key: SessionKey, stateDelta: StateDelta): Promise<Session>;

  /** Deletes a session with all its data. Does nothing if it does not exist. */
  abstract deleteSession(key: SessionKey): Promise<void>;

  /**
   * Appends an event and applies its state delta. A partial event changes nothing; `temp:` keys are never stored.
   * Nothing is appended if it throws.
   *
   * @throws {SessionNotFoundError}
   * @throws {RequestNotPendingError} if a request was answered before
   * @throws {SessionConflictError} if the sequence number is not the expected one
   * @throws {SessionTakenOverError} if another writer claimed the event's invocation
   */
  abstract appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session>;

  /**
   * A synchronous append, for a store in memory: a promise would cost more than the append. Undefined if the store has none.
   *
   * @internal
   */
  get [APPEND_AT_ONCE](): AppendAtOnce | undefined {
    return undefined;
  }

  /**
   * Claims an invocation, such as one whose process has died. Appends with an earlier epoch are refused from now on.
   *
   * @returns the epoch to append with: 1 for the first claim, then incremented by each claim
   * @throws {SessionNotFoundError}
   * @throws {NotSupportedError} if the backend does not support claims
   */
  claimInvocation(key: SessionKey, invocationId: string): Promise<number> {
    return Promise.reject(
      new NotSupportedError(this, `claim the invocation ${invocationId} of ${key.sessionId}`),
    );
  }

  /**
   * The sessions of an application, of all users, whose last event matches. The oldest first; sessions without events are
   * not listed.
   *
   * @throws {NotSupportedError} if the backend cannot search all sessions
   */
  listByLastEvent(appName: string, _query: LastEventQuery): Promise<FoundSession[]> {
    return Promise.reject(new NotSupportedError(this, `list the sessions of ${appName} by their last event`));
  }

  /**
   * Sets the title of a session.
   *
   * @throws {SessionNotFoundError}
   * @throws {NotSupportedError} if the backend does not support titles
   */
  renameSession(key: SessionKey, title: string): Promise<void> {
    return Promise.reject(new NotSupportedError(this, `name the session ${key.sessionId} "${title}"`));
  }

  /**
   * The session's own keys that `createSession` and `updateSession` wrote, sorted by `seq`, one entry for each `seq`.
   * A removed key is `null`. A rewind restores these keys; from a store that returns none, it removes the ones that an
   * undone event overwrote.
   */
  stateUpdates(_key: SessionKey): Promise<readonly StateUpdate[]> {
    return Promise.resolve([]);
  }

  /**
   * Creates a session from an exported record. State that its events wrote for the application or the user (`app:`,
   * `user:`) is not imported.
   *
   * @throws {SessionExistsError}
   */
  async importSession(key: SessionKey, record: SessionRecord): Promise<Session> {
    const { state, events, title, stateUpdates = [] } = record;
    const updates = new Map(stateUpdates.map(({ seq, stateDelta }) => [seq, ownState(stateDelta)]));
    let session = await this.createSession(key, updates.get(0));
    try {
      for (const [index, event] of events.entries()) {
        session = await this.appendEvent(session, withOwnState(event));
        const update = updates.get(index + 1);
        if (update !== undefined) session = await this.updateSession(key, update);
      }
      if (title !== undefined) await this.renameSession(key, title);
      return await this.updateSession(key, { ...removalOf(ownState(session.state)), ...ownState(state) });
    } catch (error) {
      await this.deleteSession(key);
      throw error;
    }
  }
}
