import type { Event } from './event.js';
import type { SessionKey } from './session.js';

/** `open`: active, or interrupted. `paused`: waits for answers. `ended`: over. */
export type RunStatus = 'open' | 'paused' | 'ended';

/**
 * What a store knows of a run: an index of the log. At most one run of a session is open. Each run has an epoch of its
 * own: the store refuses appends of earlier ones.
 */
export interface RunRecord {
  /** The invocation id. */
  readonly id: string;
  /** The id of the run that this one continues, with answers or after a crash. That run has ended. */
  readonly continues?: string | undefined;
  /** Only an `open` run can be recovered; a `paused` one is continued by an answer. */
  readonly status: RunStatus;
  /** From 1, greater for each run of the session. A run that is recovered gets another one. */
  readonly epoch: number;
  /** In seconds since 1970. */
  readonly openedAt: number;
  /** The number of attempts to recover it. */
  readonly attempts: number;
}

/**
 * How a living process holds its open run, by the record of the store. The process renews it about once a second, whatever
 * the run does meanwhile. A run that is paused or over has none.
 */
export interface RunHold {
  /** The invocation id. */
  readonly id: string;
  /** The epoch of the run. */
  readonly epoch: number;
  /**
   * Milliseconds since the hold was taken or renewed, by the clock of the store. Undefined if no process renews it: the run
   * was imported, or opened by an earlier version of Adorn.
   */
  readonly silentFor?: number | undefined;
  /** True if the process lives, and gave the run up before its end: its reader has stopped. */
  readonly isReleased: boolean;
  /** True if somebody has asked for the end of the run, in whatever process. */
  readonly isCancelRequested: boolean;
  /** Milliseconds since a reader in another process looked at the run, by the clock of the store. Undefined: never. */
  readonly readBefore?: number | undefined;
}

/** A run that a process holds. */
export interface HeldRun extends SessionKey {
  /** The invocation id. */
  readonly id: string;
  /** The epoch of the run. */
  readonly epoch: number;
}

/** What has become of a hold: `held`, `cancelled` by a request, or `lost` to another run of the session. */
export type RenewedHold = 'held' | 'cancelled' | 'lost';

/** A run takes its session. Refused if another run has taken it since. */
export interface RunOpening {
  /** The invocation id. A run that is recovered keeps its id. */
  readonly id: string;
  /** The id of the run that this one continues, with answers or after a crash. Default: none. */
  readonly continues?: string | undefined;
  /** The epoch of the session's last run; 0 if it has none. The run gets the next one. */
  readonly after: number;
  /** In seconds since 1970. */
  readonly at: number;
  /** True if it is an attempt to recover the run. Default: false. */
  readonly isRecovery?: boolean;
  /** True if the process renews its hold until the run is over. Default: false. */
  readonly isHeld?: boolean;
}

/** The runs to list. */
export interface RunQuery {
  /** Default: those of all applications. */
  readonly appName?: string;
  /** Only runs with this status. */
  readonly status: RunStatus;
  /** Only runs that were opened, and whose sessions got their last event, before that time, in seconds since 1970. */
  readonly touchedBefore?: number;
  /** Only runs that were opened, or whose sessions got their last event, at that time or later. */
  readonly touchedSince?: number;
  /** Default: no limit. */
  readonly limit?: number;
}

/** A run of a session. */
export interface ListedRun extends SessionKey {
  /** The record of the session's run. */
  readonly run: RunRecord;
  /** The hold of an open run. Undefined if the run is not open, or the backend records no holds. */
  readonly hold?: RunHold | undefined;
}

/** The record of a run that takes its session. @param earlier its record, if it is recovered or continued under its id */
export function openedRun(
  { id, continues, after, at, isRecovery = false }: RunOpening,
  earlier?: RunRecord,
): RunRecord {
  const attempts = isRecovery ? (earlier?.attempts ?? 0) + 1 : 0;
  return Object.freeze({
    id,
    continues: continues ?? earlier?.continues,
    status: 'open',
    epoch: after + 1,
    openedAt: at,
    attempts,
  });
}

/** The key of the custom metadata of an event without content that version 0.1 wrote before it recovered a run. */
export const RECOVERY_ATTEMPT = 'adorn:recoveryAttempt';

/** True for an event that is no step of a run: see {@link RECOVERY_ATTEMPT}. */
export function isRecoveryAttempt({ customMetadata }: Event): boolean {
  return customMetadata?.[RECOVERY_ATTEMPT] !== undefined;
}
