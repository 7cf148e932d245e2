export { ScheduledRunInvalidError, ScheduleInvalidError } from './errors.js';
export type { Occurrence, ScheduledRun } from './occurrence.js';
export {
  type MissedPolicy,
  schedule,
  type ScheduleDecorator,
  type ScheduledMethod,
  type ScheduleMetadata,
  type ScheduleOptions,
} from './schedule.decorator.js';
export { type ListedSchedule, listSchedules, type Schedule, type ScheduledService } from './schedule.js';
export {
  type ScheduleFleet,
  type Schedules,
  type SchedulesOptions,
  startSchedules,
} from './start-schedules.js';
