import type { Event } from '../events/event.js';
import type { Session, SessionKey, SessionSummary } from '../events/session.js';
import type { StateDelta } from '../state/state-delta.js';
import { NotSupportedError } from './errors.js';
import { ownState, removalOf, type SessionRecord, type StateUpdate, withOwnState } from './session-record.js';

/** Which of a session's events to load; all of them where nothing is said. */
export interface GetSessionOptions {
  /** Only the newest so many. */
  readonly numRecentEvents?: number;
  /** Only events after that place in the log, the first place being 0. */
  readonly afterSeq?: number;
  /** Only events of that time or later, in seconds. */
  readonly afterTimestamp?: number;
}

/** Which part of a list. */
export interface Page {
  /** All where it is absent. */
  readonly limit?: number;
  readonly offset?: number;
}

/** What is written together with an event, in the same transaction, and under which conditions. */
export interface AppendOptions {
  /** Append only if the event gets that place in the log; any place where it is absent. */
  readonly expectedSeq?: number;
  /** What `claimInvocation` gave this writer; never refused for it where it is absent. */
  readonly epoch?: number;
  /** The ids of the requests that the event answers: each can be answered once. */
  readonly consumes?: readonly string[];
}

/**
 * Keeps conversations: their events, and the state the events leave behind.
 *
 * An abstract class rather than an interface, so that it is its own container identifier:
 * `bind(SessionService).to(InMemorySessionService)`.
 * Every implementation passes `describeSessionService` from `@adorn/testing/contracts`.
 */
export abstract class SessionService {
  /**
   * @param state routed by prefix: `app:` and `user:` keys go where they belong, `temp:` keys nowhere
   * @throws {SessionExistsError} where the id is taken
   * @throws {NameTooLongError} where a name, or a key of the state, has more than `MAX_NAME_BYTES`
   */
  abstract createSession(key: SessionKey, state?: StateDelta): Promise<Session>;

  abstract getSession(key: SessionKey, options?: GetSessionOptions): Promise<Session | undefined>;

  /** The user's conversations without their events, the latest first. */
  abstract listSessions(owner: Omit<SessionKey, 'sessionId'>, page?: Page): Promise<SessionSummary[]>;

  /** @throws {SessionNotFoundError} */
  abstract updateSession(key: SessionKey, stateDelta: StateDelta): Promise<Session>;

  /** Deletes the conversation with everything that hangs on it; one that is not there is deleted already. */
  abstract deleteSession(key: SessionKey): Promise<void>;

  /**
   * Pushes one event and folds its state delta into the state. A partial event changes nothing; `temp:` keys are
   * never stored.
   *
   * @throws {SessionNotFoundError}
   * @throws {RequestNotPendingError} where one of the requests was answered before
   * @throws {SessionConflictError} where another event stands at the expected place
   * @throws {SessionTakenOverError} where the event's invocation was claimed since; nothing is appended in any of these
   */
  abstract appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session>;

  /**
   * Takes an invocation over, such as one whose process is gone: who appended to it under an earlier epoch is refused
   * from now on.
   *
   * @returns the epoch to append with: 1 the first time, then one more each time
   * @throws {SessionNotFoundError}
   * @throws {NotSupportedError} where the backend does not know how
   */
  claimInvocation(key: SessionKey, invocationId: string): Promise<number> {
    return Promise.reject(
      new NotSupportedError(this, `claim the invocation ${invocationId} of ${key.sessionId}`),
    );
  }

  /**
   * Gives a conversation the name that people know it by.
   *
   * @throws {SessionNotFoundError}
   * @throws {NotSupportedError} where the backend does not know how
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
   * Makes a session with a log that was written elsewhere. What its events wrote for the whole application or for the
   * user (`app:`, `user:`) is left out: they may be others here.
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
