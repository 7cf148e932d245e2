import { Clock, type Runner, type RunResult } from '@adorn/core';
import { checkOptions, LIST, OptionInvalidError, type OptionRules } from '@adorn/core/backend';

import { ScheduleNotFoundError } from './errors.js';
import { type Occurrence, occurrenceAt, readScheduledRuns } from './occurrence.js';
import { nextAfter } from './pattern.js';
import { DATE, findSchedules, type Schedule, type ScheduledService } from './schedule.js';
import { recordsOf } from './schedule-records.js';
import { sendRun } from './send-run.js';

/** The options of `runOccurrence`. All are optional. */
export interface RunOccurrenceOptions {
  /** When the occurrence is due: a time of the pattern. Default: the next one, by the runner's `Clock`. */
  readonly dueAt?: Date;
  /** Services whose methods have schedules. Default: only the agents of the tree. */
  readonly services?: readonly ScheduledService[];
}

/** An occurrence that was begun by `runOccurrence`. */
export interface BegunOccurrence {
  /** What the method was called with. */
  readonly occurrence: Occurrence;
  /**
   * How its runs ended, in the order in which the method returned them; empty if the method has done the work itself. One that had begun
   * before has no events.
   */
  readonly runs: readonly RunResult<unknown>[];
}

/**
 * Begins one occurrence now, whatever the clock says, and waits for the ends of its runs: for tests, and for an occurrence that
 * was missed. It is stored as `startSchedules` stores it, so that it begins once: a method that has returned is not called again for the
 * same `dueAt`. Unlike there, what the method throws is thrown, and the next `runOccurrence` calls it again.
 *
 * ```ts
 * await using runner = await testRunner(Clerk, { model: [says('Two orders.')] });
 * const { runs } = await runOccurrence(runner, 'Clerk.morning', { dueAt: new Date('2026-11-30T08:00:00Z') });
 * ```
 *
 * @param name of the schedule, such as `Clerk.morning`
 * @throws {ScheduleNotFoundError} if no schedule has this name
 * @throws {OptionInvalidError} for a `dueAt` that is no time of the pattern
 * @throws {ScheduleInvalidError | ScheduledRunInvalidError} as `startSchedules`, and for what the method returned
 */
export async function runOccurrence(
  runner: Runner<unknown>,
  name: string,
  options: RunOccurrenceOptions = {},
): Promise<BegunOccurrence> {
  checkOptions('runOccurrence', options, RULES);
  const schedules = findSchedules(runner, options.services);
  const schedule = schedules.find((one) => one.name === name);
  if (!schedule)
    throw new ScheduleNotFoundError(
      name,
      schedules.map((one) => one.name),
    );
  const now = runner.get(Clock).now();
  const occurrence = occurrenceAt(schedule, timeOf(schedule, options.dueAt, now), now * 1_000);
  const stored = await recordsOf(runner).runsOf(occurrence, now, async () =>
    readScheduledRuns(occurrence, await schedule.call(occurrence)),
  );
  const sent = [];
  for (const run of stored) sent.push(await sendRun(runner, run));
  return { occurrence, runs: await Promise.all(sent.flatMap(({ run }) => (run ? [run] : []))) };
}

const RULES: OptionRules<RunOccurrenceOptions> = { dueAt: DATE, services: LIST };

/** @returns milliseconds since 1970 */
function timeOf(schedule: Schedule, dueAt: Date | undefined, now: number): number {
  const { name, pattern, timeZone } = schedule;
  const time = dueAt?.getTime();
  const next = nextAfter(schedule, time === undefined ? now * 1_000 : time - 1);
  if (next !== undefined && (time === undefined || time === next)) return next;
  throw new OptionInvalidError(
    'runOccurrence',
    `${dueAt?.toISOString() ?? 'now'} is no time of ${name}, ${pattern} in ${timeZone}`,
    next === undefined ? 'It never comes again.' : `The next one is ${new Date(next).toISOString()}.`,
  );
}
