import { Clock, Logger, type Runner } from '@adorn/core';
import { BOOLEAN, checkOptions, LIST, type OptionRules, RecoverySweep } from '@adorn/core/backend';

import type { StoredRun } from './occurrence.js';
import { findSchedules, type Schedule, type ScheduledService } from './schedule.js';
import { ScheduleLoop, type ScheduleSetting } from './schedule-loop.js';
import { recordsOf } from './schedule-records.js';
import { sendRun } from './send-run.js';

/** Where runs begin on many machines: what `openFleet` of `@adorn/fleet` returns. */
export interface ScheduleFleet {
  readonly runner: Runner<unknown>;
  /** Accepts a message, once for each `invocationId`. */
  submit(submission: {
    readonly userId: string;
    readonly sessionId: string;
    readonly invocationId: string;
    readonly message: StoredRun['message'];
    readonly by: StoredRun['by'];
  }): Promise<unknown>;
  /** Seconds since 1970 by the clock that all machines share. */
  now(): Promise<number>;
}

/** The options of `startSchedules`. */
export interface SchedulesOptions {
  /** Services whose methods have schedules: classes that the runner's container binds. Default: only the agents of the tree. */
  readonly services?: readonly ScheduledService[];
  /**
   * Whether runs are recovered whose processes died, at once and every five seconds, as by `runner.recover`; false: somebody else does so,
   * such as a server in the same process. Of several processes with one store, one recovers each run. The workers of a fleet do so
   * themselves. Default: true.
   */
  readonly recover?: boolean;
}

const OPTIONS: OptionRules<SchedulesOptions> = { services: LIST, recover: BOOLEAN };

/** Schedules that are under way. */
export interface Schedules extends AsyncDisposable {
  readonly schedules: readonly Schedule[];
  /** Begins nothing more. Runs that have begun go on. */
  close(): Promise<void>;
}

/**
 * Begins the runs of the methods with `@schedule`, when they are due. Any number of processes of the application may do so: each
 * occurrence begins once. Its run has the id of the occurrence, and its message is stored before anything else, so that another process,
 * or a worker of the fleet, finishes what a dead one began.
 *
 * ```ts
 * await using schedules = await startSchedules(runner, { services: [Reports] });
 * ```
 *
 * @param target a runner, by whose `Clock` occurrences are due, or a fleet, by the clock of its database
 * @throws {ScheduleInvalidError} if two schedules have the same name, or a service has none
 * @throws {AdornError} `OPTION_INVALID`, or `SERVICE_NOT_BOUND` for a service that the runner's container does not bind
 */
export async function startSchedules(
  target: Runner<unknown> | ScheduleFleet,
  options: SchedulesOptions = {},
): Promise<Schedules> {
  checkOptions('startSchedules', options, OPTIONS);
  const runner = 'submit' in target ? target.runner : target;
  const schedules = findSchedules(runner, options.services);
  const clock = runner.get(Clock);
  const setting: ScheduleSetting = {
    records: recordsOf(runner),
    clock,
    logger: runner.get(Logger),
    now: 'submit' in target ? () => target.now() : () => Promise.resolve(clock.now()),
    begin: async (run) => {
      await ('submit' in target ? submitRun(target, run) : sendRun(target, run));
    },
  };
  // A schedule that is new begins now, and not at the first look of its loop.
  const now = await setting.now();
  for (const { name } of schedules) await setting.records.read(name, now);
  const loops = schedules.map((schedule) => new ScheduleLoop(schedule, setting));
  const { recover = true } = options;
  const sweep = recover && !('submit' in target) ? new RecoverySweep(target, {}, setting.logger) : undefined;
  const close = async (): Promise<void> => {
    await Promise.all([...loops.map((loop) => loop.close()), sweep?.close()]);
  };
  return { schedules, close, [Symbol.asyncDispose]: close };
}

/** Stores the message of a run in the inbox of a fleet. */
async function submitRun(
  fleet: ScheduleFleet,
  { id, userId, sessionId, message, by }: StoredRun,
): Promise<void> {
  await fleet.submit({ userId, sessionId, invocationId: id, message, by });
}
