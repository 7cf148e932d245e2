import type { Runner } from '@adorn/core';
import type { Awaitable, ClassReference, ServiceToken } from '@adorn/core/backend';
import {
  agentsIn,
  checkOptions,
  LIST,
  type OptionRules,
  rule,
  sourceName,
  wholeFrom,
} from '@adorn/core/backend';

import { ScheduleInvalidError } from './errors.js';
import { type Occurrence } from './occurrence.js';
import { nextAfter } from './pattern.js';
import { type ScheduleMetadata, schedulesOf } from './schedule.decorator.js';

/** A service whose methods have schedules: its class, which the container of the runner binds. */
export type ScheduledService = ServiceToken<object> & ClassReference;

/** A schedule of an application. */
export interface Schedule extends ScheduleMetadata {
  /** The class and the method. */
  readonly place: string;
  /** Calls the method. */
  call(occurrence: Occurrence): Awaitable<unknown>;
}

/** The next times of a schedule. */
export interface ListedSchedule extends Pick<Schedule, 'name' | 'pattern' | 'timeZone' | 'missed' | 'place'> {
  /** When it comes next, soonest first. */
  readonly next: readonly Date[];
}

/**
 * The schedules of an application: of the agents in the tree of a runner, and of services.
 *
 * @throws {ScheduleInvalidError} if two have the same name, or a service has none
 * @throws {AdornError} `SERVICE_NOT_BOUND` for a service that the runner's container does not bind
 */
export function findSchedules(
  runner: Runner<unknown>,
  services: readonly ScheduledService[] = [],
): Schedule[] {
  const found: Schedule[] = [];
  const classes = new Set<unknown>();
  for (const { definition } of agentsIn(runner.root)) {
    const target = definition.constructor as ClassReference;
    if (!classes.has(target)) addSchedules(found, target, definition);
    classes.add(target);
  }
  for (const service of services) {
    const before = found.length;
    addSchedules(found, service, runner.get(service));
    if (found.length === before)
      throw new ScheduleInvalidError(
        sourceName(service),
        'none of its methods has a schedule',
        "Put @schedule('0 9 * * 1-5') above one, or leave the class out.",
      );
  }
  const names = new Set<string>();
  for (const { name, place } of found) {
    if (names.has(name))
      throw new ScheduleInvalidError(
        place,
        `another schedule is named "${name}"`,
        'Pass another name: { name: … }.',
      );
    names.add(name);
  }
  return found;
}

/**
 * The next times of the schedules of an application.
 *
 * @throws as `startSchedules`
 */
export function listSchedules(runner: Runner<unknown>, options: ListSchedulesOptions = {}): ListedSchedule[] {
  checkOptions('listSchedules', options, LISTING);
  const { services, count = 3, from = new Date() } = options;
  return findSchedules(runner, services).map(({ name, pattern, timeZone, missed, place }) => {
    const next: Date[] = [];
    for (
      let time = nextAfter({ pattern, timeZone }, from.getTime());
      time !== undefined && next.length < count;
    ) {
      next.push(new Date(time));
      time = nextAfter({ pattern, timeZone }, time);
    }
    return { name, pattern, timeZone, missed, place, next };
  });
}

/** The options of `listSchedules`. All are optional. */
export interface ListSchedulesOptions {
  /** Services whose methods have schedules. Default: only the agents of the tree. */
  readonly services?: readonly ScheduledService[];
  /** How many times of each. Default: 3. */
  readonly count?: number;
  /** Only times after it. Default: now. */
  readonly from?: Date;
}

/** An option that is a time. */
export const DATE = rule((value) => value instanceof Date && !Number.isNaN(value.getTime()), 'Pass a Date.');

const LISTING: OptionRules<ListSchedulesOptions> = {
  services: LIST,
  count: wholeFrom(1),
  from: DATE,
};

function addSchedules(found: Schedule[], target: ClassReference, instance: object): void {
  for (const metadata of schedulesOf(target)) {
    const place = `${sourceName(target)}.${metadata.method}`;
    const call = (occurrence: Occurrence): unknown =>
      (instance as Record<string, (occurrence: Occurrence) => unknown>)[metadata.method]?.(occurrence);
    found.push({ ...metadata, place, call });
  }
}
