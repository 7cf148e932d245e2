import { AdornError, type Clock, type Logger } from '@adorn/core';
import { type LogFacts, startTimer } from '@adorn/core/backend';

import {
  isMissedAt,
  type Occurrence,
  occurrenceAt,
  occurrenceId,
  readScheduledRuns,
  type StoredRun,
} from './occurrence.js';
import { nextAfter, timesBetween } from './pattern.js';
import type { Schedule } from './schedule.js';
import { LEASE_S, type Position, type ScheduleRecords } from './schedule-records.js';

/** What the loops of an application share. */
export interface ScheduleSetting {
  readonly records: ScheduleRecords;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Seconds since 1970, by the clock that tells what is due. */
  readonly now: () => Promise<number>;
  /** Stores the message of a run, once for each id. */
  readonly begin: (run: StoredRun) => Promise<void>;
}

/** As many missed occurrences begin at most. */
const MOST_MISSED = 100;
/** The longest pause between two looks at the clock, which may be set, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000;
/** The pauses before a method that failed is called again, in milliseconds. */
const PAUSES_MS = [1_000, 10_000, 60_000];
/** After this time nobody begins an occurrence again, in milliseconds. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** How many stored results a pass deletes: more than one occurrence has mostly begun since the last one. */
const FORGOTTEN_AT_ONCE = 3;

/**
 * Begins the occurrences of one schedule when they are due. Of several processes, one takes the schedule for as long as it works on it;
 * the others find that it has been done. A process that dies is followed by another one after its lease, which begins the same runs:
 * what its method returned is stored before the run begins, and the run's id is that of the occurrence.
 */
export class ScheduleLoop {
  private readonly stopped = new AbortController();
  private passing: Promise<void> = Promise.resolve();
  private cancelTimer: () => void = noop;
  private wake: () => void = noop;
  /** When the next occurrence is due, in milliseconds since 1970, as far as this process knows. */
  private nextDue: number | undefined;
  private failures = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly setting: ScheduleSetting,
  ) {
    this.look();
  }

  /** Ends after the occurrence that is being begun. */
  async close(): Promise<void> {
    this.stopped.abort();
    this.cancelTimer();
    this.wake();
    await this.passing;
  }

  private look(): void {
    this.passing = this.pass().then((pauseMs) => {
      if (this.stopped.signal.aborted) return;
      if (pauseMs <= 0) this.look();
      else
        this.cancelTimer = startTimer(this.setting.clock, Math.min(pauseMs, LONGEST_PAUSE_MS), () => {
          this.look();
        });
    });
  }

  /** @returns how long to wait for the next one, in milliseconds; 0 if it has become due meanwhile */
  private async pass(): Promise<number> {
    const { logger, now } = this.setting;
    try {
      const time = await now();
      if (this.nextDue !== undefined && time * 1_000 < this.nextDue) return this.nextDue - time * 1_000;
      const pause = await this.work(time);
      this.failures = 0;
      return pause;
    } catch (error) {
      this.failures++;
      logger.warn('a schedule could not be looked at, and is tried again', {
        schedule: this.schedule.name,
        error,
      });
      return 500 * 2 ** Math.min(this.failures, 6);
    }
  }

  /** Begins what is due, unless another process does. */
  private async work(time: number): Promise<number> {
    const { records } = this.setting;
    const { name } = this.schedule;
    const position = await records.read(name, time);
    const next = nextAfter(this.schedule, position.doneUntil);
    if (next === undefined) return LONGEST_PAUSE_MS;
    if (next > time * 1_000) return this.waitFor(next);
    const held = await records.take(name, position, time);
    if (held === undefined) return 1_000;
    const doneUntil = await this.beginDue(position, held, time);
    if (!(await records.giveBack(name, held, doneUntil, await this.setting.now()))) this.warnOfLoss();
    if (doneUntil < Math.floor(time * 1_000)) return 1_000;
    await this.forget(doneUntil);
    return this.waitFor(nextAfter(this.schedule, doneUntil) ?? Infinity);
  }

  /** The clock has gone on since this look began, and somebody may have set it. */
  private async waitFor(next: number): Promise<number> {
    this.nextDue = next;
    return Math.max(0, next - (await this.setting.now()) * 1_000);
  }

  private warnOfLoss(): void {
    this.setting.logger.warn(
      'another process has begun what this one was at: a method kept the process from anything else for longer than its ' +
        'lease, or the clocks of the two differ',
      { schedule: this.schedule.name, leaseSeconds: LEASE_S },
    );
  }

  /**
   * @param left as another process has left the schedule, which this one holds
   * @returns up to when occurrences have begun, in milliseconds since 1970: less than was due if the loop was stopped, or failed
   */
  private async beginDue(left: Position, held: Position, time: number): Promise<number> {
    const { records } = this.setting;
    const { name } = this.schedule;
    const endRenewal = this.renewEach((LEASE_S * 1_000) / 3, held);
    let { doneUntil } = held;
    try {
      for (const occurrence of this.dueSince(left, time)) {
        if (this.stopped.signal.aborted) return doneUntil;
        await this.begin(occurrence);
        doneUntil = occurrence.dueAt.getTime();
      }
      return Math.floor(time * 1_000);
    } catch (error) {
      // What was begun before it stays done.
      await records.giveBack(name, held, doneUntil, time).catch(noop);
      throw error;
    } finally {
      endRenewal();
    }
  }

  /** Says from time to time, by the clock that the lease is measured by, that this process lives. @returns ends it */
  private renewEach(milliseconds: number, held: Position): () => void {
    const { clock, now, records } = this.setting;
    let cancel: () => void = noop;
    const wait = (): void => {
      cancel = startTimer(clock, milliseconds, () => {
        wait();
        now()
          .then((time) => records.renew(this.schedule.name, held, time))
          .catch(noop);
      });
    };
    wait();
    return () => {
      cancel();
    };
  }

  /**
   * The occurrences to begin, oldest first. Those that a process had begun when it died are not missed, however long ago that was.
   */
  private dueSince({ doneUntil, begunUntil = doneUntil }: Position, time: number): Occurrence[] {
    const now = Math.floor(time * 1_000);
    const begun = Math.min(begunUntil, now);
    const times = [...this.timesToBegin(doneUntil, begun), ...this.timesToBegin(begun, now)];
    return times.map((dueAt) => occurrenceAt(this.schedule, dueAt, now));
  }

  /** The times after one time and up to another that begin at the latter, by the policy for missed ones. */
  private timesToBegin(after: number, until: number): number[] {
    const { name, missed } = this.schedule;
    const times = timesBetween(this.schedule, { after, until, most: MOST_MISSED + 1 });
    const isMissed = (dueAt: number): boolean => isMissedAt(dueAt, until);
    const begun = times.filter((dueAt, index) => {
      if (missed === 'all') return index >= times.length - MOST_MISSED;
      if (missed === 'run-once') return !times.some(isMissed) || index === times.length - 1;
      return !isMissed(dueAt);
    });
    if (begun.length < times.length)
      this.setting.logger.warn('occurrences of a schedule were missed, and do not begin', {
        schedule: name,
        policy: missed,
        missed: times.length - begun.length,
        isMore: times.length > MOST_MISSED,
        since: new Date(after).toISOString(),
      });
    return begun;
  }

  /** @throws what kept a run from being stored: the occurrence is tried again */
  private async begin(occurrence: Occurrence): Promise<void> {
    const { logger, now, records } = this.setting;
    const facts = { schedule: occurrence.schedule, occurrence: occurrence.id };
    try {
      const runs = await records.runsOf(occurrence, await now(), () => this.call(occurrence));
      for (const run of runs) await this.beginRun(run, facts);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      logger.error('an occurrence of a schedule was given up', { ...facts, error: error.cause });
    }
  }

  /** Begins one run. A message that can never be stored keeps the others from nothing. */
  private async beginRun(run: StoredRun, facts: LogFacts): Promise<void> {
    try {
      await this.setting.begin(run);
    } catch (error) {
      if (!isOfMessage(error)) throw error;
      const { userId } = run;
      this.setting.logger.error('an occurrence of a schedule begins no run', { ...facts, userId, error });
    }
  }

  /** @throws {GivenUp} if the method fails again and again */
  private async call(occurrence: Occurrence): Promise<readonly StoredRun[]> {
    const { logger } = this.setting;
    for (let attempt = 0; ; attempt++) {
      try {
        return readScheduledRuns(occurrence, await this.schedule.call(occurrence));
      } catch (error) {
        const pause = isOfMessage(error) || this.stopped.signal.aborted ? undefined : PAUSES_MS[attempt];
        if (pause === undefined) throw new GivenUp(error);
        logger.warn('the method of a schedule failed, and is called again', {
          occurrence: occurrence.id,
          error,
        });
        await this.rest(pause);
        if (this.stopped.signal.aborted) throw error;
      }
    }
  }

  private async rest(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.cancelTimer = startTimer(this.setting.clock, milliseconds, resolve);
    });
    this.wake = noop;
  }

  private async forget(doneUntil: number): Promise<void> {
    const { name } = this.schedule;
    const until = doneUntil - FORGOTTEN_AFTER_MS;
    for (const dueAt of timesBetween(this.schedule, { after: 0, until, most: FORGOTTEN_AT_ONCE }))
      await this.setting.records.forget(name, occurrenceId(name, dueAt), until / 1_000);
  }
}

/** A method failed in all its attempts. */
class GivenUp extends Error {
  constructor(override readonly cause: unknown) {
    super('The method failed in all its attempts.');
  }
}

/** The codes of faults of a message, with which it can never be stored. */
const OF_MESSAGE: readonly string[] = [
  'MESSAGE_INVALID',
  'NAME_INVALID',
  'NAME_TOO_LONG',
  'NOT_SUPPORTED',
  'PRINCIPAL_INVALID',
  'SCHEDULED_RUN_INVALID',
];

function isOfMessage(error: unknown): boolean {
  return AdornError.is(error) && OF_MESSAGE.includes(error.code);
}

function noop(): void {
  // The lease lapses, and another look follows.
}
