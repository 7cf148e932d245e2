import type { HeldRun } from '../../events/run-record.js';
import type { SessionKey } from '../../events/session.js';
import type { InvocationServices } from '../../run/invocation-services.js';

/** How often a process renews the holds of its runs, in milliseconds. */
const RENEW_MS = 1_000;

/** How often a process with a run looks for mail, in milliseconds: a person who waits on the telephone notices more. */
const MAIL_MS = 250;

/** The shortest time after which a hold that is not renewed counts as lapsed: one late renewal is no death. */
const LEAST_LEASE_MS = 3 * RENEW_MS;

/**
 * How long a hold lasts without a renewal, in milliseconds.
 *
 * @param takeOverAfter the option of a run. 0 takes every session over at once: the caller knows that no other process has it
 */
export function leaseOf(takeOverAfter: number): number {
  return takeOverAfter === 0 ? 0 : Math.max(takeOverAfter, LEAST_LEASE_MS);
}

/** An active run, as far as its hold is concerned. */
export interface Holder {
  /** Undefined before the run has taken its session, and in a store that does not record runs. */
  readonly heldRun: HeldRun | undefined;
  /** Cancels the run, as somebody has asked for. */
  cancelHeld(): void;
  /** Called when another run has taken the session. */
  giveWay(): void;
  /** Reads what was sent to the session. */
  noticeMail(): void;
}

/**
 * Renews the holds of a runner's active runs once a second, all in one write: also while a model or a tool works for minutes
 * without an event. The timer is one of Node.js, because the store measures the age of a hold by its own clock; it does not
 * keep the process alive, and stops when no run is active.
 */
export class RunHolds {
  private readonly holders = new Set<Holder>();
  /** How often it has looked for mail. */
  private looks = 0;
  private isLooking = false;
  private timer: NodeJS.Timeout | undefined;
  private isFailing = false;

  constructor(private readonly services: Pick<InvocationServices, 'sessions' | 'logger'>) {}

  add(holder: Holder): void {
    this.holders.add(holder);
    this.timer ??= this.start();
  }

  delete(holder: Holder): void {
    this.holders.delete(holder);
  }

  /** The active run of a session, once it has it. */
  find({ userId, sessionId }: SessionKey): Holder | undefined {
    for (const holder of this.holders) {
      const run = holder.heldRun;
      if (run?.userId === userId && run.sessionId === sessionId) return holder;
    }
    return undefined;
  }

  /** Stops renewing: the runner is closed, and has no runs. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.holders.clear();
  }

  private start(): NodeJS.Timeout {
    return setTimeout(() => void this.workAndGoOn(), MAIL_MS).unref();
  }

  /** The same timer goes on: it stays one of Node.js where a test has put its own in the place of `setTimeout` meanwhile. */
  private async workAndGoOn(): Promise<void> {
    if (++this.looks % (RENEW_MS / MAIL_MS) === 0) await this.renewAll();
    // A store that answers late must not delay the renewal: a hold that lapses is taken over.
    if (!this.isLooking) void this.lookForMail();
    if (this.holders.size > 0) this.timer?.refresh();
    else this.timer = undefined;
  }

  private get held(): { readonly holder: Holder; readonly run: HeldRun }[] {
    return [...this.holders].flatMap((holder) => {
      const run = holder.heldRun;
      return run ? [{ holder, run }] : [];
    });
  }

  /** One read for all sessions, and none in a process without a run. */
  private async lookForMail(): Promise<void> {
    const { held } = this;
    if (held.length === 0) return;
    this.isLooking = true;
    try {
      const found = await this.services.sessions.haveMail(held.map(({ run }) => run));
      for (const [index, { holder }] of held.entries())
        if (found[index] === true && this.holders.has(holder)) holder.noticeMail();
    } catch (error) {
      if (!this.isFailing) this.services.logger.warn('the mail of active runs could not be read', { error });
      this.isFailing = true;
    } finally {
      this.isLooking = false;
    }
  }

  private async renewAll(): Promise<void> {
    const { held } = this;
    if (held.length === 0) return;
    const { sessions, logger } = this.services;
    try {
      const renewed = await sessions.renewRuns(held.map(({ run }) => run));
      this.isFailing = false;
      for (const [index, { holder }] of held.entries()) {
        if (!this.holders.has(holder)) continue;
        if (renewed[index] === 'cancelled') holder.cancelHeld();
        else if (renewed[index] === 'lost') holder.giveWay();
      }
    } catch (error) {
      if (!this.isFailing) logger.warn('the holds of active runs could not be renewed', { error });
      this.isFailing = true;
    }
  }
}
