/* eslint-disable max-lines -- the methods of one contract */
import type { Event } from '../../events/event.js';
import type { Mail } from '../../events/mail.js';
import type { Session, SessionKey, SessionSummary } from '../../events/session.js';
import { shareClass } from '../../metadata/shared-class.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { StateDelta } from '../../events/state.js';
import type { OpenRequestQuery, OpenRequestRecord } from '../../log/open-requests.js';
import { AdornError } from '@adorn/schema';
import { NotSupportedError } from './errors.js';
import type {
  HeldRun,
  ListedRun,
  RenewedHold,
  RunHold,
  RunOpening,
  RunQuery,
  RunRecord,
  RunStatus,
} from '../../events/run-record.js';
import { runOfLog } from './run-of-log.js';
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
  /** The number of entries to skip. Default: 0. */
  readonly offset?: number;
}

/** Which part of a user's sessions is listed, and how. */
export interface ListSessionsOptions extends Page {
  /**
   * The last session of the previous page: the list goes on after the place that it had, whatever has been updated since.
   * Default: from the latest session on.
   */
  readonly after?: Pick<SessionSummary, 'id' | 'lastUpdateTime'> | undefined;
  /** False leaves the states empty, which then are not read. Default: true. */
  readonly state?: boolean;
}

/** A session of any user, as `allSessions` lists it. */
export interface ListedSession extends SessionKey {
  /** Seconds since 1970, a float. */
  readonly lastUpdateTime: number;
}

/** Which sessions of an application are listed. */
export interface AllSessionsQuery {
  /** Only sessions that were last updated before this time, in seconds since 1970. Default: all. */
  readonly updatedBefore?: number | undefined;
}

/** Conditions of an append, and writes in the same transaction. */
export interface AppendOptions {
  /** Append only if the event gets this sequence number. Default: append at any position. */
  readonly expectedSeq?: number;
  /** The epoch of the run that appends. Refused if another run has taken the session since. Default: not checked. */
  readonly epoch?: number;
  /** The run takes its session with this event, its first one. */
  readonly opens?: RunOpening;
  /** The new status of the run of that epoch. */
  readonly becomes?: Exclude<RunStatus, 'open'>;
  /** The keys of the requests that the event answers, and of the calls whose final results it holds: each is consumed once. */
  readonly consumes?: readonly string[];
}

const NO_MAIL: readonly Mail[] = Object.freeze([]);

/** A session that was deleted. */
export interface DeletedSession extends SessionKey {
  /** The ids of its events. Empty if the store cannot tell them, or there was no such session. */
  readonly eventIds: readonly string[];
}

/** Deletes what other services hold of a deleted session. */
export type SessionDeletionListener = (deleted: DeletedSession) => Promise<void>;

/**
 * Stores conversations: their events and their state.
 *
 * An abstract class rather than an interface, so that it is its own container identifier:
 * `bind(SessionService).to(InMemorySessionService)`.
 * Every implementation passes `describeSessionService` from `@adorn/testing/contracts`.
 */
export abstract class SessionService {
  static {
    shareClass(this, 'SessionService');
  }

  readonly #listeners = new Set<SessionDeletionListener>();

  /**
   * Calls a function after each deletion of a session. A runner deletes the files and the memories of the session by it.
   *
   * @returns a function that ends this
   */
  onDelete(listener: SessionDeletionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** An implementation of `deleteSession` calls and awaits this at its end, also if there was no such session. */
  protected async deleted(
    { appName, userId, sessionId }: SessionKey,
    eventIds: readonly string[],
  ): Promise<void> {
    for (const listener of this.#listeners) await listener({ appName, userId, sessionId, eventIds });
  }

  /**
   * Creates a session without events.
   *
   * @param state the initial state: `app:` and `user:` keys are stored in their scopes, `temp:` keys are dropped
   * @throws {SessionExistsError} if the session exists
   * @throws {NameTooLongError} if a name or a state key has more than `MAX_NAME_BYTES`
   */
  abstract createSession(key: SessionKey, state?: StateDelta): Promise<Session>;

  /** Reads a session with its events; undefined if it does not exist. */
  abstract getSession(key: SessionKey, options?: GetSessionOptions): Promise<Session | undefined>;

  /** The user's conversations without their events, the latest first. */
  abstract listSessions(
    owner: Omit<SessionKey, 'sessionId'>,
    options?: ListSessionsOptions,
  ): Promise<SessionSummary[]>;

  /**
   * The sessions of all users of an application, each once, in any order. One that is created or deleted meanwhile may
   * be listed or not.
   *
   * @throws {NotSupportedError} if the backend cannot
   */
  allSessions(appName: string, _query?: AllSessionsQuery): AsyncIterable<ListedSession> {
    const error = new NotSupportedError(this, `list the sessions of all users of ${appName}`);
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
  }

  /**
   * Writes to the state without an event. `null` removes a key; `temp:` keys are dropped.
   *
   * @throws {SessionNotFoundError}
   */
  abstract updateSession(key: SessionKey, stateDelta: StateDelta): Promise<Session>;

  /**
   * Deletes a session: its events, its own state, its requests and runs, and, where it is a runner's, its files and the
   * memories that were made of it. State, files and memories of the user stay. Deleting it again deletes what a failure
   * left. An implementation ends with `deleted`.
   */
  abstract deleteSession(key: SessionKey): Promise<void>;

  /**
   * The state of a user, with the prefix `user:` of its keys; empty if there is none. No session is needed.
   *
   * @throws {NotSupportedError} if the backend cannot
   */
  getUserState({ userId }: Omit<SessionKey, 'sessionId'>): Promise<Readonly<Record<string, unknown>>> {
    return Promise.reject(
      new NotSupportedError(this, `read the state of the user ${userId} without a session`),
    );
  }

  /**
   * Writes to the state of a user without a session. `null` removes a key. Every session of the user has it when it is read next,
   * such as when its next run begins.
   *
   * @param stateDelta keys with the prefix `user:`; any other key is refused with `OPTION_INVALID`, and nothing is written
   * @throws {NotSupportedError} if the backend cannot
   */
  updateUserState({ userId }: Omit<SessionKey, 'sessionId'>, _stateDelta: StateDelta): Promise<void> {
    return Promise.reject(
      new NotSupportedError(this, `write to the state of the user ${userId} without a session`),
    );
  }

  /**
   * Deletes the state of a user (`user:`) for good. The sessions of the user are to be deleted before. Deleting it again does
   * nothing.
   *
   * @returns how many keys there were
   * @throws {NotSupportedError} if the backend cannot
   */
  deleteUserState({ userId }: Omit<SessionKey, 'sessionId'>): Promise<number> {
    return Promise.reject(new NotSupportedError(this, `delete the state of the user ${userId}`));
  }

  /**
   * Overwrites what deletions of this and other services in the same store have left in its files, such as in free pages and
   * in a log of changes. It may take as long as a copy of the store.
   *
   * @returns what it cannot reach, as sentences; none if nothing is left
   */
  overwriteDeleted(): Promise<readonly string[]> {
    return Promise.resolve([
      `${this.constructor.name} does not say whether deleted data stays in its files, logs or backups.`,
    ]);
  }

  /**
   * Appends an event and applies its state delta. A partial event changes nothing; `temp:` keys are never stored.
   * Nothing is appended if it throws.
   *
   * @throws {SessionNotFoundError}
   * @throws {RequestNotPendingError} if a request was answered before
   * @throws {SessionConflictError} if the sequence number is not the expected one
   * @throws {SessionTakenOverError} if another run has taken the session
   */
  abstract appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session>;

  /**
   * Appends several events, all or none, under the conditions of one append.
   *
   * @throws what `appendEvent` throws
   */
  async appendEvents(
    session: Session,
    events: readonly Event[],
    { opens, becomes, ...options }: AppendOptions = {},
  ): Promise<Session> {
    const epoch = opens ? opens.after + 1 : options.epoch;
    let current = session;
    for (const [index, event] of events.entries()) {
      const isLast = index === events.length - 1;
      const first = index === 0 ? { ...options, opens } : { epoch };
      current = await this.appendEvent(current, event, { ...first, becomes: isLast ? becomes : undefined });
    }
    return current;
  }

  /**
   * Opens a run without an event: it takes the session, such as to recover a run whose process has died. An open run of
   * the session with another id ends.
   *
   * @throws {SessionNotFoundError}
   * @throws {SessionTakenOverError} if another run has taken the session since
   * @throws {NotSupportedError} if the backend does not record runs: two processes may then write to one session at once
   */
  openRun(key: SessionKey, opening: RunOpening): Promise<RunRecord> {
    return Promise.reject(new NotSupportedError(this, `record the run ${opening.id} of ${key.sessionId}`));
  }

  /**
   * Sets the status of a run that is over. Does nothing if the run was opened again under another epoch, or if the
   * backend does not record runs.
   */
  closeRun(
    _key: SessionKey,
    _run: Pick<RunRecord, 'id' | 'epoch'>,
    _status: Exclude<RunStatus, 'open'>,
  ): Awaitable<void> {
    // Nothing is recorded.
  }

  /**
   * Renews the holds of runs, in one write.
   *
   * @returns what has become of each, in their order. A backend that records no holds returns `held`
   */
  renewRuns(runs: readonly HeldRun[]): Promise<readonly RenewedHold[]> {
    return Promise.resolve(runs.map(() => 'held'));
  }

  /**
   * The hold of the open run of a session. Undefined if no run is open, or the backend records no holds: whether a run of
   * another process lives is then judged by its last event.
   */
  findHold(_key: SessionKey): Promise<RunHold | undefined> {
    return Promise.resolve(undefined);
  }

  /** Gives the hold of a run up, which stays open. Does nothing if another run has taken the session. */
  releaseRun(_run: HeldRun): Awaitable<void> {
    // Nothing is recorded.
  }

  /**
   * Asks the process that holds an open run to cancel it, which it does with its next renewal.
   *
   * @returns false if the run is not open, or the backend records no holds
   */
  requestCancel(_run: HeldRun): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Records that a reader in another process follows an open run. */
  noteReader(_run: HeldRun): Awaitable<void> {
    // Nothing is recorded.
  }

  /**
   * The runs of all users and sessions with a status, the oldest first.
   *
   * @throws {NotSupportedError} if the backend does not record runs
   */
  listRuns({ status }: RunQuery): Promise<ListedRun[]> {
    return Promise.reject(new NotSupportedError(this, `list the runs that are ${status}`));
  }

  /**
   * The open requests of all users and sessions of an application, the oldest first: what `openRequestsOf` finds in each log. A
   * backend keeps an index of them, which is written with the events that open and close them.
   *
   * @throws {NotSupportedError} if the backend has no such index: to read every session instead would take minutes
   */
  listOpenRequests({ appName }: OpenRequestQuery): Promise<OpenRequestRecord[]> {
    return Promise.reject(new NotSupportedError(this, `list the open requests of ${appName}`));
  }

  /**
   * Stores what was sent to a session, for the run that has it or for the next one. It is deleted with the session. A mail whose id
   * is there already is the same one, sent again: the first one stays as it is.
   *
   * @throws {SessionNotFoundError}
   * @throws {NotSupportedError} if the backend has no mailbox: nothing can be sent to a run that is open
   */
  postMail(key: SessionKey, mail: Pick<Mail, 'id' | 'body'>): Promise<void> {
    return Promise.reject(new NotSupportedError(this, `store the mail ${mail.id} to ${key.sessionId}`));
  }

  /** What was sent to a session and not deleted, in the order of `postMail`, also of several processes. */
  listMail(_key: SessionKey): Promise<readonly Mail[]> {
    return Promise.resolve(NO_MAIL);
  }

  /** Removes a mail that the log has, or that is withdrawn. False if it is gone already: of several callers, one gets true. */
  deleteMail(_key: SessionKey, _id: string): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Records why a mail was not taken. Does nothing if it is gone. */
  refuseMail(_key: SessionKey, _id: string, _refusal: string): Awaitable<void> {
    // Nothing is recorded.
  }

  /**
   * Whether each of these sessions has mail, in one read. It is called several times a second while the process has a run, so
   * it should cost little.
   */
  haveMail(keys: readonly SessionKey[]): Promise<readonly boolean[]> {
    return Promise.resolve(keys.map(() => false));
  }

  /** The sessions of an application that have mail, the oldest mail first. */
  listMailboxes(_appName: string): Promise<readonly SessionKey[]> {
    return Promise.resolve([]);
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
    const { state, events, title, stateUpdates = [], run = runOfLog(events) } = record;
    const updates = new Map(stateUpdates.map(({ seq, stateDelta }) => [seq, ownState(stateDelta)]));
    let session = await this.createSession(key, updates.get(0));
    try {
      for (const [index, event] of events.entries()) {
        session = await this.appendEvent(session, withOwnState(event));
        const update = updates.get(index + 1);
        if (update) session = await this.updateSession(key, update);
      }
      if (run) await this.importRun(key, run);
      if (title !== undefined) await this.renameSession(key, title);
      return await this.updateSession(key, { ...removalOf(ownState(session.state)), ...ownState(state) });
    } catch (error) {
      await this.deleteSession(key);
      throw error;
    }
  }

  /** Records the last run of an imported session. Does nothing if the backend does not record runs. */
  private async importRun(key: SessionKey, { status, openedAt: at, ...run }: RunRecord): Promise<void> {
    try {
      const opened = await this.openRun(key, { ...run, after: 0, at });
      if (status !== 'open') await this.closeRun(key, opened, status);
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
    }
  }
}
