import type { Message } from '@adorn/core';
import {
  isObject,
  kindOf,
  type PrincipalInput,
  toPrincipal,
  toUserContent,
  unknownOption,
} from '@adorn/core/backend';

import { ScheduledRunInvalidError } from './errors.js';

/** One time of a schedule. */
export interface Occurrence {
  /** The same in every process and after every restart, such as `Clerk.morning@2026-11-30T08:00:00.000Z`: the id of its run. */
  readonly id: string;
  /** The name of the schedule. */
  readonly schedule: string;
  /** When it was due. */
  readonly dueAt: Date;
  /** True if more than a minute has passed since then. */
  readonly isMissed: boolean;
}

/** The run that an occurrence begins. */
export interface ScheduledRun {
  /** Owns the session, its state, memory and credentials. */
  readonly userId: string;
  readonly message: Message;
  /** The conversation that the message goes to; a run that is open there ends first. Default: one of its own, by the occurrence's id. */
  readonly sessionId?: string | undefined;
  /** Who sends the message. Default: the schedule, which acts for the user: `{ id: 'schedule:NAME', actsFor: userId }`. */
  readonly by?: PrincipalInput | undefined;
}

/** A run as it is stored before it begins: complete, and the same whoever begins it. */
export type StoredRun = Required<ScheduledRun>;

const NAMES = new Set(['userId', 'message', 'sessionId', 'by']);

/**
 * Reads what a method returned.
 *
 * @returns undefined if the method has done the work itself
 * @throws {ScheduledRunInvalidError | AdornError} if it begins no run
 */
export function readScheduledRun({ id, schedule }: Occurrence, returned: unknown): StoredRun | undefined {
  if (returned === undefined) return undefined;
  const refuse = (fault: string): never => {
    throw new ScheduledRunInvalidError(schedule, fault);
  };
  if (!isObject(returned)) return refuse(`it is ${kindOf(returned)}`);
  const unknown = unknownOption(returned, NAMES);
  if (unknown) return refuse(unknown.fault);
  const { userId, message, sessionId = id, by } = returned as unknown as ScheduledRun;
  if (!isName(userId)) return refuse(`its userId is ${kindOf(userId)}`);
  if (!isName(sessionId)) return refuse(`its sessionId is ${kindOf(sessionId)}`);
  toUserContent(message);
  const sender = toPrincipal(by ?? { id: `schedule:${schedule}`, actsFor: userId }, 'by');
  return { userId, message, sessionId, by: sender };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
