import { keyOf, logOf, type Session } from '../../events/session.js';
import type { RunHold, RunRecord } from '../../events/run-record.js';
import type { Cancellation } from '../../run/cancellation.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import type { CompleteRunConfig } from '../../run/run-config.js';
import { SessionSlot } from '../../log/projection.js';
import { InvocationActiveError } from '../errors.js';
import { leaseOf } from './run-holds.js';

/** The interval of reading the session during a wait for a run of another process, in milliseconds. */
const POLL_MS = 200;

/** The epoch of the last run of each session that ended in this process: its record may be written later. */
const ENDED = new SessionSlot<{ epoch: number | undefined }>(() => ({ epoch: undefined }));

/** The options of entering a session in which a run of another process may be active. */
export type FenceOptions = Pick<CompleteRunConfig, 'whileActive' | 'takeOverAfter'>;

/**
 * Whether an open run of another process lives.
 *
 * - `alive`: its process renews the hold, or may do so: `left` milliseconds are left until it counts as dead.
 * - `released`: its process lives, and gave it up: the run failed, or its reader stopped.
 * - `dead`: its process has not renewed the hold in time.
 */
export type RunLife =
  | { readonly kind: 'alive'; readonly left: number }
  | { readonly kind: 'released' }
  | { readonly kind: 'dead' };

/** An open run of another process. */
export interface OpenRun {
  readonly run: RunRecord;
  readonly life: RunLife;
}

/**
 * Prevents simultaneous runs of two processes in one session, without a lock: a new run waits while the run of another
 * process is open and its process lives. The store then gives the session to one of the runs that waited.
 *
 * Everything that has to know whether a run of another process lives asks here: the next message, recovery, and what stops
 * or follows a run.
 */
export class SessionFence {
  constructor(private readonly services: Pick<InvocationServices, 'sessions' | 'clock'>) {}

  /** The open run of another process, dead or alive. */
  openRun(session: Session): RunRecord | undefined {
    const run = session.lastRun;
    return run?.status === 'open' && ENDED.of(session).epoch !== run.epoch ? run : undefined;
  }

  /**
   * The open run of another process, and whether it lives.
   *
   * @param takeOverAfter milliseconds without a renewal after which it counts as dead
   * @param seen of a wait: the silence of a run without a hold is measured from when its last event was seen
   */
  async findOpen(session: Session, takeOverAfter: number, seen?: SeenEvents): Promise<OpenRun | undefined> {
    const run = this.openRun(session);
    if (!run) return undefined;
    const hold = await this.services.sessions.findHold(keyOf(session));
    // The run has ended since the session was read, or another one has begun.
    if (hold && hold.epoch !== run.epoch) return { run, life: { kind: 'alive', left: 1 } };
    const silence = hold?.silentFor === undefined ? this.silenceOfLog(session, run, seen) : undefined;
    return { run, life: lifeOf(hold, takeOverAfter, silence) };
  }

  /**
   * Waits while a run of another process is open and lives.
   *
   * @param isTaken asked at each look: true if that run has taken what the new one waits with
   * @returns the session after the wait; undefined if the new run was cancelled while it waited, or has nothing left to do
   * @throws {InvocationActiveError} if the new run may not wait
   */
  async enter(
    session: Session,
    { whileActive, takeOverAfter }: FenceOptions,
    cancellation: Cancellation,
    isTaken?: () => Promise<boolean>,
  ): Promise<Session | undefined> {
    let current = session;
    const seen: SeenEvents = { touchedAt: -1, silentAt: 0 };
    for (;;) {
      const open = await this.findOpen(current, takeOverAfter, seen);
      if (open?.life.kind !== 'alive') return current;
      if (whileActive === 'refuse') throw InvocationActiveError.elsewhere(open.run.id, takeOverAfter);
      if (await isTaken?.()) return undefined;
      if (!(await cancellation.sleep(Math.min(open.life.left, POLL_MS)))) return undefined;
      current = (await this.services.sessions.getSession(keyOf(current))) ?? current;
    }
  }

  /** True if the last run of a session took it, or stored an event, in these last milliseconds. */
  isRecent(session: Session, milliseconds: number): boolean {
    const { lastRun } = session;
    return lastRun !== undefined && this.silenceOfLog(session, lastRun) < milliseconds;
  }

  /** Records that a run has ended in this process. */
  release(session: Session, epoch: number | undefined): void {
    ENDED.of(session).epoch = epoch;
  }

  /** Milliseconds since a run without a hold took the session or stored an event; 0 if the other machine's clock is ahead. */
  private silenceOfLog(session: Session, { openedAt }: RunRecord, seen?: SeenEvents): number {
    const touchedAt = Math.max(openedAt, logOf(session).at(-1)?.timestamp ?? 0);
    const age = Math.max(0, this.services.clock.now() - touchedAt) * 1000;
    if (!seen) return age;
    if (seen.touchedAt !== touchedAt) Object.assign(seen, { touchedAt, silentAt: performance.now() - age });
    return performance.now() - seen.silentAt;
  }
}

/** When a wait has seen the last event of a run that has no hold. */
interface SeenEvents {
  /** The time of the event, in seconds since 1970. */
  touchedAt: number;
  /** The moment from which the run counts as silent, by `performance.now()`. */
  silentAt: number;
}

/**
 * Whether a run lives, by its hold.
 *
 * @param silence milliseconds without an event, for a run without a hold
 */
export function lifeOf(hold: RunHold | undefined, takeOverAfter: number, silence = Infinity): RunLife {
  if (hold?.isReleased === true) return { kind: 'released' };
  const left =
    hold?.silentFor === undefined ? takeOverAfter - silence : leaseOf(takeOverAfter) - hold.silentFor;
  return left > 0 ? { kind: 'alive', left } : { kind: 'dead' };
}
