import { isReadWithin, LogRedaction, sentAs, type SentMessage } from '@adorn/core/backend';
import { AdornError, Logger, type PendingRequest, type Run, type SessionKey } from '@adorn/core';

import { checkOptions, LIMIT, type OptionRules } from '@adorn/core/backend';

import { expiryIdOf, type Fleet, sentTopic } from './fleet.js';
import type { InboxEntry } from './inbox.js';
import type { Lease } from './leases.js';
import { requestOf, type Submission } from './submission.js';

export interface WorkerOptions {
  /** The number of invocations that run at a time. Default: 10. */
  readonly concurrency?: number;
  /** The number of attempts after which an invocation is parked. Default: 5. */
  readonly maxAttempts?: number;
  /**
   * The number of sessions of one user that are worked on at a time, over all workers. The same on all machines. Default:
   * any number, so that one user may keep all workers busy.
   */
  readonly maxPerUser?: number;
  /** Milliseconds that an invocation is due before it is looked for without the queue, which may have lost it. Default: 10,000. */
  readonly sweepAfter?: number;
}

/** A process, or a part of one, that runs accepted invocations. */
export interface Worker extends AsyncDisposable {
  /**
   * Takes no more invocations and waits for those under way. What has not ended within the grace is run on by another
   * worker; end the process then. Closes the fleet, too.
   *
   * @param graceMs default: 10,000
   */
  stop(graceMs?: number): Promise<void>;
}

const OPTIONS: OptionRules<WorkerOptions> = {
  concurrency: LIMIT,
  maxAttempts: LIMIT,
  maxPerUser: LIMIT,
  sweepAfter: LIMIT,
};

const GRACE_MS = 10_000;

/**
 * Runs the invocations that any machine has accepted. Connect it to the signal of your platform:
 *
 * ```ts
 * const worker = await startWorker(fleet);
 * process.once('SIGTERM', () => void worker.stop().then(() => process.exit()));
 * ```
 */
export async function startWorker(fleet: Fleet, options: WorkerOptions = {}): Promise<Worker> {
  checkOptions('startWorker', options, OPTIONS);
  const { concurrency = 10, sweepAfter = 10_000, maxAttempts = 5, maxPerUser = Infinity } = options;
  const shift = new Shift(fleet, { concurrency, maxAttempts, maxPerUser, sweepAfter });
  fleet.leases.start();
  await fleet.queue.take((address) => shift.work(address), concurrency);
  await queueAll(fleet);
  const timer = setInterval(() => void shift.takeOver().catch(noop), TAKE_OVER_MS);
  const stop = async (graceMs = GRACE_MS): Promise<void> => {
    clearInterval(timer);
    shift.stop();
    await fleet.close(graceMs);
  };
  return { stop, [Symbol.asyncDispose]: () => stop() };
}

/** Milliseconds between two looks for sessions that a worker has left. */
const TAKE_OVER_MS = 1000;

/** Queues what was accepted, in case the queue was down or has forgotten it. */
async function queueAll({ inbox, queue, runner }: Fleet): Promise<void> {
  for (const entry of await inbox.waiting(runner.appName))
    await queue.put(entry, { delay: Math.max(0, entry.dueIn) });
}

/** Milliseconds between two looks for messages to a run that goes on, besides signals. */
const SEND_MS = 1_000;

function noop(): void {
  // The next look is a second later.
}

class Shift {
  private readonly stopping = new AbortController();
  private active = 0;
  /** The messages that this worker has sent to runs, by the ids of their invocations, until their turn has come. */
  private readonly sent = new Map<string, Promise<SentMessage<unknown>>>();
  private isLooking = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly options: Required<WorkerOptions>,
  ) {}

  stop(): void {
    this.stopping.abort();
  }

  /**
   * Runs the invocations of a session in their order, until there is none. Does nothing if another worker has the
   * session: that one looks for more before it leaves.
   */
  async work(address: SessionKey): Promise<void> {
    const { inbox, leases } = this.fleet;
    const { maxPerUser } = this.options;
    for (let next: SessionKey | undefined = address; next;) {
      if (this.stopping.signal.aborted) throw new Error('The worker stops.');
      const lease = await leases.acquire(next, maxPerUser);
      if (!lease) return;
      this.active++;
      try {
        await this.workThrough(next, lease);
      } finally {
        this.active--;
        await lease.release();
      }
      // What was accepted until the lease was released was perhaps left to this worker by another one.
      if (!isWaiting(await inbox.first(next)))
        // So was what waited for one of the places of its user.
        next = maxPerUser === Infinity ? undefined : await inbox.nextOfUser(next);
    }
  }

  /** Takes over the sessions of workers that are gone, and, if it is not busy, what the queue has not delivered. */
  async takeOver(): Promise<void> {
    if (this.isLooking || this.stopping.signal.aborted) return;
    this.isLooking = true;
    try {
      const { inbox, leases, runner } = this.fleet;
      const left: SessionKey[] = await leases.expired(runner.appName);
      const { concurrency, sweepAfter } = this.options;
      const free = concurrency - this.active - left.length;
      if (free > 0) left.push(...(await inbox.overdue(runner.appName, sweepAfter, free)));
      for (const key of left) void this.work(key).catch(noop);
    } finally {
      this.isLooking = false;
    }
  }

  private async workThrough(key: SessionKey, lease: Lease): Promise<void> {
    for (;;) {
      const entry = await this.fleet.inbox.first(key);
      if (!isWaiting(entry)) return;
      if (this.stopping.signal.aborted) throw new Error('The worker stops.');
      if (!(await lease.isHeld())) return;
      await this.attempt(entry, lease);
    }
  }

  private async attempt(entry: InboxEntry, lease: Lease): Promise<void> {
    const { inbox } = this.fleet;
    const { maxAttempts } = this.options;
    // A process that died in each attempt has left no error behind.
    if (entry.attempts >= maxAttempts)
      return inbox.fail(entry, entry.error ?? 'Its worker died in each attempt.', true);
    await inbox.begin(entry);
    try {
      for (const request of await this.run(entry)) await this.fleet.rejectWhenExpired(request);
    } catch (error) {
      // A worker that stood still: another one has the session, and the store has refused this one's events.
      if (!(await lease.isHeld())) return;
      if (!isRefusal(error)) {
        await this.failed(entry, error, lease);
        return;
      }
      this.fleet.runner
        .get(Logger)
        .warn('a submission was dropped: it was refused', { invocationId: entry.invocationId, error });
    } finally {
      await this.fleet.announce(entry);
    }
    await inbox.remove(entry, await this.timersEndedBy(entry));
    await this.fleet.announce(entry);
  }

  /** The timer of the request that an entry has answered. One that is still open, such as for a second approval, keeps its timer. */
  private async timersEndedBy({ body, userId, sessionId }: InboxEntry): Promise<string[]> {
    const request = requestOf(JSON.parse(body) as Submission);
    if (request === undefined) return [];
    const open = await this.fleet.runner.pending({ userId, sessionId });
    return open.some(({ id }) => id === request.id) ? [] : [expiryIdOf(request)];
  }

  /**
   * Notes that an attempt has failed. After the last one, an approval that no worker can use becomes a rejection, and all
   * else is parked.
   *
   * @throws what was thrown, if the queue is to deliver the invocation again
   */
  private async failed(entry: InboxEntry, error: unknown, lease: Lease): Promise<void> {
    const isLast = entry.attempts + 1 >= this.options.maxAttempts;
    const rejection = isLast && codeOf(error) === 'AGENT_TREE_CHANGED' && rejectionOf(entry);
    if (rejection) return this.attempt(rejection, lease);
    const { message } = error instanceof Error ? error : new Error(String(error));
    await this.fleet.inbox.fail(entry, this.fleet.runner.get(LogRedaction).text(message), isLast);
    if (!isLast) throw error;
  }

  /**
   * Begins an invocation, or continues the one that a dead worker has left.
   *
   * @returns the requests with which it waits
   */
  private async run(entry: InboxEntry): Promise<readonly PendingRequest[]> {
    const { runner } = this.fleet;
    const { appName, userId, sessionId, invocationId, isCancelled } = entry;
    const key = { appName, userId, sessionId };
    const sent = await this.takeSent(entry);
    if (sent?.run) return this.followSent(entry, sent.run);
    const session = await runner.sessions.getSession(key);
    if (isSentNow(entry)) {
      // A worker that has died may have sent it to a run, which has read it or not.
      if (session?.events.some((event) => sentAs(event) === invocationId && isReadWithin(event)))
        return runner.pending(key);
      await runner.sessions.deleteMail(key, invocationId);
    }
    const { lastRun } = session ?? {};
    const isOpen = lastRun?.id === invocationId && lastRun.status === 'open';
    const hasBegun = session?.events.some((event) => event.invocationId === invocationId) === true;
    if (!isOpen && (hasBegun || isCancelled)) return runner.pending(key);
    const cancelling = new AbortController();
    if (isCancelled) cancelling.abort();
    const unlisten = this.onCancel(entry, () => {
      cancelling.abort();
    });
    const { signal } = cancelling;
    const stopSending = this.sendTo(entry);
    try {
      // The lease of the session is the hold in a fleet: who has it lost may still renew the run's own hold, and is refused.
      const again = { ...key, invocationId, signal, config: { takeOverAfter: 0 } };
      const run = isOpen ? runner.resume(again) : this.begin(entry, signal);
      return await this.readThrough(entry, run);
    } catch (error) {
      if (!(isOpen && codeOf(error) === 'NOTHING_TO_RESUME')) throw error;
      // Only the end of the run was not recorded.
      return await runner.pending(key);
    } finally {
      unlisten();
      stopSending();
    }
  }

  /**
   * Sends the messages to the run of an entry that are accepted while it goes on and do not wait for their turn.
   *
   * @returns a function that ends it
   */
  private sendTo(entry: InboxEntry): () => void {
    const { signals } = this.fleet;
    const topic = sentTopic(entry);
    const look = (): void => void this.sendAll(entry).catch(noop);
    const unlisten = signals.listen((told) => {
      if (told === topic) look();
    });
    // A signal may get lost.
    const timer = setInterval(look, SEND_MS);
    return () => {
      unlisten();
      clearInterval(timer);
    };
  }

  private async sendAll(active: InboxEntry): Promise<void> {
    const { inbox, runner } = this.fleet;
    for (const entry of await inbox.ofSession(active)) {
      const { userId, sessionId, invocationId: id, dueIn, isCancelled, isParked } = entry;
      const isOther = id !== active.invocationId && !this.sent.has(id);
      if (!isOther || !isSentNow(entry) || dueIn > 0 || isCancelled || isParked) continue;
      const { message, when, by } = JSON.parse(entry.body) as Extract<Submission, { message: unknown }>;
      const sending = runner.send({ userId, sessionId }, message, { id, when, by });
      this.sent.set(id, sending);
      await sending;
    }
  }

  /** The message of an entry, if this worker has sent it to the run before. */
  private async takeSent({ invocationId }: InboxEntry): Promise<SentMessage<unknown> | undefined> {
    const sending = this.sent.get(invocationId);
    this.sent.delete(invocationId);
    return sending?.catch(() => undefined);
  }

  /** Waits for the run of a message that was sent. It is empty if the run before it has read the message. */
  private async followSent(entry: InboxEntry, run: Run<unknown>): Promise<readonly PendingRequest[]> {
    if (entry.isCancelled) run.cancel();
    const unlisten = this.onCancel(entry, () => {
      run.cancel();
    });
    try {
      return await this.readThrough(entry, run);
    } finally {
      unlisten();
    }
  }

  /** Announces each event of a run. @returns the requests with which it waits */
  private async readThrough(entry: InboxEntry, run: Run<unknown>): Promise<readonly PendingRequest[]> {
    for await (const event of run) if (!event.partial) void this.fleet.announce(entry);
    return (await run).pending;
  }

  /** @returns a function that ends it */
  private onCancel({ invocationId }: InboxEntry, cancel: () => void): () => void {
    return this.fleet.signals.listen((topic) => {
      if (topic === `cancel:${invocationId}`) cancel();
    });
  }

  private begin({ body, ...entry }: InboxEntry, signal: AbortSignal): Run<unknown> {
    const { runner } = this.fleet;
    const { userId, sessionId, invocationId } = entry;
    const task = JSON.parse(body) as Submission;
    // Nobody else has the session: a run that is open in it has ended, and only its end was not recorded. A worker that
    // stood still after its look at the log is refused: another one has perhaps run the message to its end.
    const options = { invocationId, signal, config: { takeOverAfter: 0, whenRepeated: 'refuse' } } as const;
    const { by, channel } = task;
    const signed = { ...options, by, channel };
    if ('approve' in task) {
      const { approve, args, payload, remember } = task;
      return runner.approve(approve, { ...signed, args, payload, remember });
    }
    if ('supply' in task) return runner.supply(task.supply, task.value, signed);
    if ('reject' in task) return runner.reject(task.reject, { ...signed, reason: task.reason });
    if ('delegate' in task) return runner.delegate(task.delegate, { ...signed, to: task.to });
    if ('undo' in task) {
      const { undo, calls } = task;
      return runner.undo({ ...signed, userId, sessionId, invocationId: undo, calls, id: invocationId });
    }
    const { message, stateDelta } = task;
    return runner.run({ ...signed, userId, sessionId, message, stateDelta });
  }
}

/** True for a message that is read by the run that goes on, or in its place. */
function isSentNow({ body }: InboxEntry): boolean {
  const { when } = JSON.parse(body) as { readonly when?: unknown };
  return when !== undefined;
}

/**
 * True if a submission cannot be used, has stored nothing, and would be refused again: another answer came first, the request has
 * expired, it asks for something else by now, or who answers may not. The session goes on with what is behind it.
 */
function isRefusal(error: unknown): boolean {
  return REFUSALS.has(codeOf(error) ?? '');
}

const REFUSALS: ReadonlySet<string> = new Set([
  'REQUEST_NOT_PENDING',
  'APPROVER_NOT_ALLOWED',
  'REQUEST_CHANGED',
  'ANSWER_INVALID',
  // Of an undo: the run is not over, or has never been, or has no such call.
  'INVOCATION_ACTIVE',
  'INVOCATION_NOT_FOUND',
  'SESSION_NOT_FOUND',
  'CALL_INVALID',
]);

/** An approval that no worker could use as a rejection, with which the run goes on. Undefined for an entry of another kind. */
function rejectionOf(entry: InboxEntry): InboxEntry | undefined {
  const { approve, by } = JSON.parse(entry.body) as { approve?: PendingRequest; by?: unknown };
  // Where a tool says who may answer, the rejection is in the name of who approved.
  const signed = approve?.approvers === undefined ? 'worker' : by;
  return approve && { ...entry, body: JSON.stringify({ reject: approve, reason: AGENT_GONE, by: signed }) };
}

/** Told to the model, and kept in the log. */
const AGENT_GONE = 'It was approved, but no worker has the agent that made the call any more.';

function codeOf(error: unknown): string | undefined {
  return AdornError.is(error) ? error.code : undefined;
}

function isWaiting(entry: InboxEntry | undefined): entry is InboxEntry {
  return entry !== undefined && !entry.isParked;
}
