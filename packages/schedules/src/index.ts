export {
  ScheduledRunInvalidError,
  ScheduleInvalidError,
  ScheduleNotFoundError,
  SignalNotAwaitedError,
} from './errors.js';
export type { LocalDay } from './local-day.js';
export type { Occurrence, ScheduledRun, ScheduledRuns } from './occurrence.js';
export { type BegunOccurrence, runOccurrence, type RunOccurrenceOptions } from './run-occurrence.js';
export {
  type MissedPolicy,
  schedule,
  type ScheduleDecorator,
  type ScheduledMethod,
  type ScheduleMetadata,
  type ScheduleOptions,
  schedulesOf,
} from './schedule.decorator.js';
export {
  type ListedSchedule,
  listSchedules,
  type ListSchedulesOptions,
  type Schedule,
  type ScheduledService,
} from './schedule.js';
export {
  type ScheduleFleet,
  type Schedules,
  type SchedulesOptions,
  startSchedules,
} from './start-schedules.js';
export {
  signal,
  type SignalAddress,
  type SignalOptions,
  sleep,
  waitFor,
  type WaitForOptions,
  wakeSleepers,
  type Waking,
} from './waiting.js';
