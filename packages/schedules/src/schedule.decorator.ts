import {
  type Awaitable,
  type ClassReference,
  defineSlot,
  oneOf,
  optionFault,
  type OptionRules,
  readMetadata,
  readOwnMetadata,
  refuseStandardCall,
  rule,
  sourceName,
  TEXT,
  updateOwnMetadata,
} from '@adorn/core/backend';

import { ScheduleInvalidError } from './errors.js';
import type { Occurrence, ScheduledRuns } from './occurrence.js';
import { patternFault } from './pattern.js';

/** What becomes of occurrences whose time passed while no process was there to begin them. */
export type MissedPolicy = 'run-once' | 'skip' | 'all';

/** The options of `@schedule`. All are optional. */
export interface ScheduleOptions {
  /**
   * Names it in the log and in the store: letters, digits, `_`, `-` and `.`, 128 at most. Under another name it is another schedule,
   * which begins anew. Default: the class and the method, such as `Clerk.morning`.
   */
  readonly name?: string;
  /** The time zone of the pattern, such as `Europe/Berlin`. Default: `UTC`. */
  readonly timeZone?: string;
  /**
   * Occurrences that nobody began within a minute of their time: `run-once` begins the latest one for all of them, `all` begins each
   * of them (the last 100), `skip` none. Default: `run-once`.
   */
  readonly missed?: MissedPolicy;
}

/** What `@schedule` recorded for one method. */
export interface ScheduleMetadata extends Required<ScheduleOptions> {
  readonly pattern: string;
  readonly method: string;
}

/** A method that a schedule calls. */
export type ScheduledMethod =
  ((occurrence: Occurrence) => Awaitable<ScheduledRuns>) | ((occurrence: Occurrence) => Awaitable<void>);

/** Decorates a method that a schedule calls. */
export type ScheduleDecorator = (
  prototype: object,
  method: string | symbol,
  descriptor: { readonly value?: ScheduledMethod },
) => void;

const OPTIONS: OptionRules<ScheduleOptions> = {
  name: rule(
    (value) => typeof value === 'string' && /^[\w.-]{1,128}$/.test(value),
    'Pass 1 to 128 letters, digits, "_", "-" and ".".',
  ),
  timeZone: TEXT,
  missed: oneOf('run-once', 'skip', 'all'),
};

/**
 * Calls a method of an agent class, or of a service, at times: the method returns whom the run is for and its message, or a list of
 * such runs. `startSchedules` begins them.
 *
 * @param pattern a cron pattern: minute, hour, day of the month, month, day of the week; with six parts the first is the second
 * @throws {ScheduleInvalidError} for anything but a method, a pattern that never comes, and a time zone that does not exist
 * @example
 * @schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' })
 * morning(): ScheduledRun {
 *   return { userId: 'ada', message: 'Summarise the orders of yesterday.' };
 * }
 */
export function schedule(pattern: string, options: ScheduleOptions = {}): ScheduleDecorator {
  return (prototype: object, method: string | symbol, descriptor?: { readonly value?: unknown }) => {
    refuseStandardCall('schedule', method as unknown);
    mark(prototype, method, descriptor?.value, pattern, options);
  };
}

function mark(
  prototype: object,
  method: string | symbol,
  value: unknown,
  pattern: string,
  options: ScheduleOptions,
): void {
  const isStatic = typeof prototype === 'function';
  const owner = (isStatic ? prototype : prototype.constructor) as ClassReference;
  const place = `${sourceName(owner)}.${String(method)}`;
  if (isStatic || typeof method === 'symbol' || typeof value !== 'function')
    throw new ScheduleInvalidError(place, 'it is no public method of an instance', 'Decorate a method.');
  const found = optionFault(options, OPTIONS);
  if (found) throw new ScheduleInvalidError(place, found.fault, found.cure);
  const { name = place, timeZone = 'UTC', missed = 'run-once' } = options;
  const fault = patternFault(pattern, timeZone);
  if (fault) throw new ScheduleInvalidError(place, fault.fault, fault.cure);
  if (readOwnMetadata(owner, SCHEDULES)?.some((one) => one.name === name))
    throw new ScheduleInvalidError(
      place,
      `another schedule of its class is named "${name}"`,
      'Pass another name: { name: … }.',
    );
  const marked: ScheduleMetadata = { name, pattern, method, timeZone, missed };
  updateOwnMetadata(owner, SCHEDULES, (own) => [...own, marked]);
}

/** The schedules of a class. Those of an overridden method are those of the overriding one, if it has any. */
const SCHEDULES = defineSlot<readonly ScheduleMetadata[]>({
  name: 'schedules',
  empty: () => [],
  overlay: (inherited, own) => {
    const methods = new Set(own.map(({ method }) => method));
    return [...inherited.filter(({ method }) => !methods.has(method)), ...own];
  },
});

/** The schedules of a class and its bases. */
export function schedulesOf(target: ClassReference): readonly ScheduleMetadata[] {
  return readMetadata(target, SCHEDULES);
}
