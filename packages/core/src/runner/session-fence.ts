import { keyOf, logOf, type Session } from '../events/session.js';
import type { RunRecord } from '../events/run-record.js';
import type { Cancellation } from '../invocation/cancellation.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import type { CompleteRunConfig } from '../invocation/run-config.js';
import { SessionSlot } from '../log/projection.js';
import { InvocationActiveError } from './errors.js';

/** The interval of reading the session during a wait for a run of another process, in milliseconds. */
const POLL_MS = 200;

/** The epoch of the last run of each session that ended in this process: its record may be written later. */
const ENDED = new SessionSlot<{ epoch: number | undefined }>(() => ({ epoch: undefined }));

/** The options of entering a session in which a run of another process may be active. */
export type FenceOptions = Pick<CompleteRunConfig, 'whileActive' | 'takeOverAfter'>;

/**
 * Prevents simultaneous runs of two processes in one session, without a lock: a new run waits while the run of another
 * process is open and has recent events. The store then gives the session to one of the runs that waited.
 */
export class SessionFence {
  constructor(private readonly services: Pick<InvocationServices, 'sessions' | 'clock'>) {}

  /** The open run of another process, dead or alive. */
  openRun(session: Session): RunRecord | undefined {
    const run = session.lastRun;
    return run?.status === 'open' && ENDED.of(session).epoch !== run.epoch ? run : undefined;
  }

  /** True if an open run of another process took the session, or stored an event, in these last milliseconds. */
  isActive(session: Session, milliseconds: number): boolean {
    const run = this.openRun(session);
    return run !== undefined && this.age(touchedAt(session, run)) < milliseconds;
  }

  /**
   * Waits while a run of another process is open and has recent events.
   *
   * @returns the session after the wait; undefined if the new run was cancelled while it waited
   * @throws {InvocationActiveError} if the new run may not wait
   */
  async enter(
    session: Session,
    { whileActive, takeOverAfter }: FenceOptions,
    cancellation: Cancellation,
  ): Promise<Session | undefined> {
    let current = session;
    let touched = -1;
    for (let deadline = 0; ;) {
      const run = this.openRun(current);
      if (!run) return current;
      const at = touchedAt(current, run);
      if (at !== touched) {
        touched = at;
        deadline = performance.now() + takeOverAfter - this.age(at);
      }
      const rest = Math.max(0, deadline - performance.now());
      if (rest === 0) return current;
      if (whileActive === 'refuse') throw InvocationActiveError.elsewhere(run.id, takeOverAfter);
      if (!(await cancellation.sleep(Math.min(rest, POLL_MS)))) return undefined;
      current = (await this.services.sessions.getSession(keyOf(current))) ?? current;
    }
  }

  /** Records that a run has ended in this process. */
  release(session: Session, epoch: number | undefined): void {
    ENDED.of(session).epoch = epoch;
  }

  /** In milliseconds; 0 if the clock of the other machine is ahead. */
  private age(timestamp: number): number {
    return Math.max(0, this.services.clock.now() - timestamp) * 1000;
  }
}

/** When an open run took the session, or stored its last event, in seconds since 1970. */
function touchedAt(session: Session, { openedAt }: RunRecord): number {
  return Math.max(openedAt, logOf(session).at(-1)?.timestamp ?? 0);
}
