import { hash } from 'node:crypto';

import type { Message } from '@adorn/core';
import {
  isObject,
  kindOf,
  present,
  type PrincipalInput,
  toPrincipal,
  toUserContent,
  unknownOption,
} from '@adorn/core/backend';

import { ScheduledRunInvalidError } from './errors.js';
import { type LocalDay, localDaysOf } from './local-day.js';
import type { ScheduleMetadata } from './schedule.decorator.js';

/** One time of a schedule. */
export interface Occurrence {
  /** The same in every process and after every restart, such as `Clerk.morning@2026-11-30T08:00:00.000Z`: the id of its run, if it is one. */
  readonly id: string;
  /** The name of the schedule. */
  readonly schedule: string;
  /** When it was due. */
  readonly dueAt: Date;
  /** The time zone of the schedule. */
  readonly timeZone: string;
  /** The day on which it was due, in the time zone of the schedule. */
  readonly day: LocalDay;
  /** Yesterday: the day before, in the time zone of the schedule. */
  readonly dayBefore: LocalDay;
  /** True if more than a minute has passed since then. */
  readonly isMissed: boolean;
}

/** An occurrence that is later is missed, in milliseconds. */
const GRACE_MS = 60_000;

/** True if a time that was due is missed at another time, both in milliseconds since 1970. */
export function isMissedAt(dueAt: number, now: number): boolean {
  return now - dueAt > GRACE_MS;
}

/** The id of the occurrence of a schedule. @param dueAt in milliseconds since 1970 */
export function occurrenceId(schedule: string, dueAt: number): string {
  return `${schedule}@${new Date(dueAt).toISOString()}`;
}

/** The occurrence of a schedule at one of its times. @param now both in milliseconds since 1970 */
export function occurrenceAt(
  { name, timeZone }: Pick<ScheduleMetadata, 'name' | 'timeZone'>,
  dueAt: number,
  now: number,
): Occurrence {
  const time = new Date(dueAt);
  return {
    id: occurrenceId(name, dueAt),
    schedule: name,
    dueAt: time,
    timeZone,
    ...localDaysOf(time, timeZone),
    isMissed: isMissedAt(dueAt, now),
  };
}

/** The run that an occurrence begins. */
export interface ScheduledRun {
  /** Owns the session, its state, memory and credentials. */
  readonly userId: string;
  readonly message: Message;
  /** The conversation that the message goes to; a run that is open there ends first. Default: one of its own, under the id of the run. */
  readonly sessionId?: string | undefined;
  /** The organisation of the user: the tenant of who sends the message. A `by` names its own. Default: none. */
  readonly tenant?: string | undefined;
  /** Who sends the message. Default: the schedule, which acts for the user: `{ id: 'schedule:NAME', actsFor: userId, tenant }`. */
  readonly by?: PrincipalInput | undefined;
}

/** What a method returns: the run, or the runs, to begin; nothing if it has done the work itself. */
export type ScheduledRuns = ScheduledRun | readonly ScheduledRun[] | undefined;

/** A run as it is stored before it begins: complete, and the same whoever begins it. */
export interface StoredRun extends Required<Omit<ScheduledRun, 'tenant'>> {
  /** The id of the occurrence, or one below it for a run among several. */
  readonly id: string;
}

const NAMES = new Set(['userId', 'message', 'sessionId', 'tenant', 'by']);

/**
 * Reads what a method returned.
 *
 * @throws {ScheduledRunInvalidError | AdornError} if it begins no run
 */
export function readScheduledRuns({ id, schedule }: Occurrence, returned: unknown): readonly StoredRun[] {
  if (returned === undefined) return [];
  if (!Array.isArray(returned)) return [readRun(schedule, returned, () => id)];
  const runs = returned.map((run: unknown) => readRun(schedule, run, (own) => idAmongSeveral(id, own)));
  const ids = new Set<string>();
  for (const { id: runId, userId } of runs) {
    if (ids.has(runId))
      throw new ScheduledRunInvalidError(
        schedule,
        `two of its runs are for the user "${userId}" in one session`,
      );
    ids.add(runId);
  }
  return runs;
}

/** @param idOf the id of the run */
function readRun(schedule: string, run: unknown, idOf: (run: ScheduledRun) => string): StoredRun {
  const refuse = (fault: string): never => {
    throw new ScheduledRunInvalidError(schedule, fault);
  };
  if (!isObject(run)) return refuse(`it is ${kindOf(run)}`);
  const unknown = unknownOption(run, NAMES);
  if (unknown) return refuse(unknown.fault);
  const given = run as unknown as ScheduledRun;
  const { userId, message, tenant, by } = given;
  if (!isName(userId)) return refuse(`its userId is ${kindOf(userId)}`);
  const id = idOf(given);
  const { sessionId = id } = given;
  if (!isName(sessionId)) return refuse(`its sessionId is ${kindOf(sessionId)}`);
  if (tenant !== undefined && by !== undefined)
    return refuse('it has a tenant and a by, which names its own');
  toUserContent(message);
  const sender = toPrincipal(
    by ?? { id: `schedule:${schedule}`, actsFor: userId, ...present({ tenant }) },
    'by',
  );
  return { id, userId, message, sessionId, by: sender };
}

/** The same whatever the order of the runs, and whoever else gets one. */
function idAmongSeveral(occurrenceId: string, { userId, sessionId }: ScheduledRun): string {
  return `${occurrenceId}/${hash('sha256', JSON.stringify([userId, sessionId ?? null]), 'base64url').slice(0, 22)}`;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
