import { randomUUID } from 'node:crypto';

import { Clock, type Event, type PendingRequest, type Runner, type SessionKey } from '@adorn/core';
import {
  checkOptions,
  type ErasedCounts,
  type ForgetOptions,
  type ForgetReceipt,
  LIMIT,
  OBJECT,
  type OptionRules,
  REQUEST_CREDENTIAL,
  requireAnswerer,
  required,
} from '@adorn/core/backend';
import { Database } from '@adorn/storage';

import { digestOf, digestOfNames } from './digest.js';
import { CredentialSubmittedError } from './errors.js';
import { Inbox, type InboxCounts, type InboxEntry, type InboxLimits } from './inbox.js';
import type { InvocationAddress, InvocationQueue } from './invocation-queue.js';
import { Leases } from './leases.js';
import { LocalSignals, PostgresSignals, type Signals } from './signals.js';
import { POSTGRES_URL } from './postgres-url.js';
import { answersIn, checkSubmission, type Purpose, requestOf, type Submission } from './submission.js';

/** What has been erased of a user, as by `runner.forget`, and in the inbox of the fleet. */
export interface FleetForgetReceipt extends ForgetReceipt {
  /** What was erased, by kind. */
  readonly erased: ErasedCounts & {
    /** Messages, answers and timers that were accepted and had not run. */
    readonly submissions: number;
  };
}

/** Where to read from, and when to stop. */
export interface FollowInput {
  readonly userId?: string;
  readonly sessionId: string;
  /** Only events with a greater sequence number. Default: all. */
  readonly afterSeq?: number;
  /** Ends when this invocation has ended or waits for a person. Default: never. */
  readonly invocationId?: string;
  readonly signal?: AbortSignal;
}

/** A stored event and its place in the log. */
export interface FollowedEvent {
  readonly seq: number;
  readonly event: Event;
}

export interface FleetOptions {
  readonly queue: InvocationQueue;
  /** The PostgreSQL on which the machines meet, that of the sessions. Default: signals stay in this process. */
  readonly url?: string;
  /**
   * Milliseconds without a sign of life after which the sessions of a worker are given to others. The same on all machines.
   * Default: 5,000.
   */
  readonly heartbeat?: number;
  /** How many invocations of the application may wait; a further message is refused. Default: any number. */
  readonly maxWaiting?: number;
  /** How many invocations of one user may wait; a further message is refused. Default: any number. */
  readonly maxWaitingPerUser?: number;
}

const OPTIONS: OptionRules<FleetOptions> = {
  queue: required({ ...OBJECT, cure: () => 'Pass a queue, such as new PgBossQueue(url).' }),
  url: POSTGRES_URL,
  heartbeat: LIMIT,
  maxWaiting: LIMIT,
  maxWaitingPerUser: LIMIT,
};

const HEARTBEAT_MS = 5000;

const DEFAULT_USER = 'user';

function sumOf(one: ErasedCounts, other: ErasedCounts): ErasedCounts {
  const kinds = Object.keys(one) as (keyof ErasedCounts)[];
  return Object.fromEntries(kinds.map((kind) => [kind, one[kind] + other[kind]])) as never;
}

/** Told to the model, and kept in the log. */
const EXPIRED = 'Nobody answered before the request expired.';
const TIMER = 'timer';

/** Milliseconds after which a reader looks at the log without a signal. */
const POLL_MS = 500;

/**
 * Accepts invocations on one machine, and lets workers on others run them.
 *
 * ```ts
 * const fleet = await openFleet(runner, { queue: new PgBossQueue(url), url });
 * const { invocationId } = await fleet.submit({ userId, sessionId, message: 'Hello' });
 * for await (const { seq, event } of fleet.follow({ userId, sessionId, invocationId })) show(seq, event);
 * ```
 */
export class Fleet {
  private constructor(
    readonly runner: Runner<unknown>,
    readonly queue: InvocationQueue,
    readonly inbox: Inbox,
    readonly leases: Leases,
    readonly signals: Signals,
    private readonly limits: InboxLimits,
  ) {}

  /** @internal Use {@link openFleet}. */
  static async open(runner: Runner<unknown>, options: FleetOptions): Promise<Fleet> {
    checkOptions('openFleet', options, OPTIONS);
    const {
      queue,
      url,
      heartbeat = HEARTBEAT_MS,
      maxWaiting = Infinity,
      maxWaitingPerUser = Infinity,
    } = options;
    const database = runner.get(Database);
    const inbox = new Inbox(database);
    await inbox.open();
    const signals = url === undefined ? new LocalSignals() : new PostgresSignals(url);
    await signals.open();
    try {
      await queue.open();
    } catch (error) {
      await signals.close();
      throw error;
    }
    const limits = { maxWaiting, maxWaitingPerUser };
    return new Fleet(runner, queue, inbox, new Leases(database, heartbeat), signals, limits);
  }

  /**
   * Accepts an invocation: it is stored when this returns, and will run even if every process dies. Invocations of one session
   * run one after another, in the order in which they were accepted. A submission with an `invocationId` may be repeated.
   *
   * @throws {OptionInvalidError | PrincipalInvalidError} for a field that does not exist, or has a wrong value
   * @throws {InvocationAcceptedError} if the id was accepted with other contents
   * @throws {FleetBusyError} if too many wait. An answer to a request is never refused
   * @throws {CredentialSubmittedError} if it supplies a credential
   * @throws {AdornError} `APPROVER_NOT_ALLOWED` if `by` may not answer the request, or not delegate it. The worker checks it again
   */
  async submit(submission: Submission): Promise<InvocationAddress> {
    const purpose = checkSubmission(submission, this.runner.appName);
    const request = requestOf(submission);
    const {
      appName = this.runner.appName,
      userId = request?.userId ?? DEFAULT_USER,
      sessionId = request?.sessionId ?? randomUUID(),
      invocationId = randomUUID(),
      delay = 0,
      ...body
    } = submission;
    const address = { appName, userId, sessionId, invocationId };
    await this.checkAnswers(submission, address, purpose);
    const limits = purpose === 'message' ? this.limits : undefined;
    await this.inbox.accept(address, JSON.stringify(body), { delay, limits });
    // What is accepted stays accepted if the queue is down: the sweep of a worker finds it later.
    // One that is repeated may have ended meanwhile: the queue, which knows its address, is to deliver it again.
    const isAgain = submission.invocationId !== undefined;
    await this.queue.put(address, { delay, isAgain }).catch(() => undefined);
    if ('when' in body && delay === 0) await this.signals.publish(sentTopic(address)).catch(() => undefined);
    return address;
  }

  /**
   * Refuses a credential, and an answer or a delegation of somebody who may not give it. An answer to a request that is not open any
   * more is accepted, and dropped by the worker.
   */
  private async checkAnswers(
    submission: Submission,
    { userId, sessionId }: SessionKey,
    purpose: Purpose | undefined,
  ): Promise<void> {
    const answers = answersIn(submission);
    if (answers.length === 0) return;
    const named = answers.find(({ name }) => name === REQUEST_CREDENTIAL);
    if (named) throw new CredentialSubmittedError(named.id ?? REQUEST_CREDENTIAL);
    const ids = new Set(answers.map(({ id }) => id));
    for (const request of await this.runner.pending({ userId, sessionId })) {
      if (!ids.has(request.id) && !ids.has(request.functionCallId)) continue;
      if (request.kind === 'credential') throw new CredentialSubmittedError(request.id);
      // Who answers by the right of another passes nothing on.
      const asked = purpose === 'delegate' ? { ...request, delegations: [] } : request;
      requireAnswerer(asked, submission.by, this.runner.get(Clock).now());
    }
  }

  /**
   * Has a request rejected when it expires, by a timer of the queue. Does nothing if it does not expire, or has been told before.
   *
   * @internal
   */
  async rejectWhenExpired(request: PendingRequest): Promise<void> {
    const { appName, userId, sessionId, expiresAt, id, kind, tool } = request;
    if (expiresAt === undefined) return;
    const address = { appName, userId, sessionId, invocationId: expiryIdOf(request) };
    const delay = Math.max(0, (expiresAt - this.runner.get(Clock).now()) * 1000);
    // Without what an approver may change until then, such as the arguments: a changed request is not rejected.
    const reject = { appName, userId, sessionId, id, kind, tool };
    const body = JSON.stringify({ reject, reason: EXPIRED, by: TIMER });
    await this.inbox.accept(address, body, { delay, isTimer: true });
    await this.queue.put(address, { delay }).catch(() => undefined);
  }

  /** Yields the stored events of a session, whichever machine writes them: those that are there, then new ones. */
  async *follow(input: FollowInput): AsyncGenerator<FollowedEvent, void> {
    const { userId = DEFAULT_USER, sessionId, invocationId, signal } = input;
    const key = { appName: this.runner.appName, userId, sessionId };
    let seq = input.afterSeq ?? -1;
    const news = new News(this.signals, `session:${digestOf(key)}`, signal);
    try {
      while (signal?.aborted !== true) {
        // Before the log is read: whatever an ended invocation has stored is then in what is read.
        const isOver = invocationId !== undefined && (await this.isOver({ ...key, invocationId }));
        const session = await this.runner.sessions.getSession(key, { afterSeq: seq });
        if (session) {
          const first = session.nextSeq - session.events.length;
          for (const [index, event] of session.events.entries()) {
            seq = first + index;
            yield { seq, event };
          }
        }
        if (isOver) return;
        await news.next(POLL_MS);
      }
    } finally {
      news.end();
    }
  }

  /** Cancels an invocation, on whichever machine it runs. Before it has begun, nothing of it is stored. */
  async cancel(address: Omit<InvocationAddress, 'appName'>): Promise<void> {
    const whole = { ...address, appName: this.runner.appName };
    await this.inbox.cancel(whole);
    await this.signals.publish(`cancel:${address.invocationId}`).catch(() => undefined);
  }

  /** The invocations that were given up after too many attempts. Later ones of their sessions wait for `release`. */
  parked(): Promise<InboxEntry[]> {
    return this.inbox.parked(this.runner.appName);
  }

  /**
   * Forgets a user as `runner.forget` does, and erases what the fleet has accepted of the user and not run: messages, answers, what was
   * parked, and the timers of requests that wait.
   *
   * @throws {AdornError} `INVOCATION_ACTIVE` if a run of the user is in progress, as `runner.forget`. Call it again then
   */
  async forget(userId: string, options: ForgetOptions = {}): Promise<FleetForgetReceipt> {
    const first = await this.runner.forget(userId, options);
    const submissions = await this.inbox.eraseUser({ appName: this.runner.appName, userId });
    if (submissions === 0) return { ...first, erased: { ...first.erased, submissions } };
    // A worker may have begun one of them, and what was erased just now is to be overwritten, too.
    const { erased } = await this.runner.forget(userId, { ...options, searchOthers: false });
    return { ...first, erased: { ...sumOf(first.erased, erased), submissions } };
  }

  /** Seconds since 1970 by the clock of the database, which all machines share. */
  now(): Promise<number> {
    return this.inbox.now();
  }

  /** How much waits, for metrics and for scaling by the number of workers. */
  counts(): Promise<InboxCounts> {
    return this.inbox.counts(this.runner.appName);
  }

  /** Lets workers attempt a parked invocation again. Or `drop` it. */
  async release(address: InvocationAddress): Promise<void> {
    await this.inbox.release(address);
    await this.queueAll(address);
  }

  /** Removes a parked invocation, and lets those behind it run. */
  async drop(address: InvocationAddress): Promise<void> {
    await this.inbox.remove(address);
    await this.queueAll(address);
  }

  /** Tells the readers of a session that there is something new. */
  async announce(key: SessionKey): Promise<void> {
    await this.signals.publish(`session:${digestOf(key)}`).catch(() => undefined);
  }

  /** Ends the connections. The runner stays open. */
  async close(graceMs = 0): Promise<void> {
    await this.queue.close(graceMs);
    await this.leases.stop();
    await this.signals.close();
  }

  /** Queues the invocations of a session again: their addresses were delivered while they could not begin. */
  private async queueAll(key: SessionKey): Promise<void> {
    for (const entry of await this.inbox.ofSession(key)) await this.queue.put(entry, { isAgain: true });
  }

  private async isOver(address: InvocationAddress): Promise<boolean> {
    const entry = await this.inbox.find(address);
    return entry === undefined || entry.isParked;
  }
}

/**
 * Connects a runner to the other machines. Its sessions must be in a database that all of them share: `sqlStorage`.
 *
 * @throws {AdornError} `SERVICE_NOT_BOUND` if the runner has no `sqlStorage`
 * @throws {NodeTooOldError} if the queue needs a later Node.js
 */
export function openFleet(runner: Runner<unknown>, options: FleetOptions): Promise<Fleet> {
  return Fleet.open(runner, options);
}

/** The invocation that rejects a request when it expires. */
export function expiryIdOf({ id }: Pick<PendingRequest, 'id'>): string {
  return `expiry-${digestOfNames(id)}`;
}

/** Told when a message was accepted for the run of a session that goes on. */
export function sentTopic({ appName, userId, sessionId }: SessionKey): string {
  return `sent:${digestOf({ appName, userId, sessionId })}`;
}

/** Wakes a reader at a signal, also one that came while it did not wait. */
class News {
  private hasCome = false;
  private wake: () => void = noop;
  private readonly unlisten: () => void;
  private readonly abort = (): void => {
    this.come();
  };

  constructor(
    signals: Signals,
    topic: string,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.unlisten = signals.listen((told) => {
      if (told === topic) this.come();
    });
    signal?.addEventListener('abort', this.abort);
  }

  async next(limitMs: number): Promise<void> {
    if (!this.hasCome) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.hasCome = false;
    this.wake = noop;
  }

  end(): void {
    this.unlisten();
    this.signal?.removeEventListener('abort', this.abort);
  }

  private come(): void {
    this.hasCome = true;
    this.wake();
  }
}

function noop(): void {
  // Nobody waits.
}
