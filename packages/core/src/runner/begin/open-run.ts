import type { HeldRun } from '../../events/run-record.js';
import { keyOf, type Session, type SessionKey } from '../../events/session.js';
import { DEFAULT_RUN_CONFIG } from '../../run/run-config.js';
import { endDeadRun } from '../recover/recover.js';
import type { RunSetting } from './run-setting.js';

/**
 * The last run of a conversation, if it has not ended, and where it is:
 *
 * - `here`: in this runner.
 * - `elsewhere`: in another process, which lives.
 * - `interrupted`: nowhere. Its process died, and `runner.recover` continues it.
 * - `left`: nowhere. It failed, or its reader stopped, and `runner.resume` continues it.
 */
export interface OpenRunPlace {
  /** The id of the run. */
  readonly invocationId: string;
  /** Where it goes on; `interrupted` if its process has died, `left` if its reader or an error has ended it. */
  readonly place: 'here' | 'elsewhere' | 'interrupted' | 'left';
}

/** Undefined if the session does not exist, or its last run has ended or waits for answers. */
export async function findOpenRun(setting: RunSetting, key: SessionKey): Promise<OpenRunPlace | undefined> {
  const session = await setting.services.sessions.getSession(key);
  if (!session) return undefined;
  const { lastRun } = session;
  if (lastRun?.status === 'open' && setting.runs.has(lastRun.id))
    return { invocationId: lastRun.id, place: 'here' };
  const open = await setting.fence.findOpen(session, watchedFor(setting));
  if (!open) return undefined;
  const { run, life } = open;
  return { invocationId: run.id, place: PLACES[life.kind] };
}

const PLACES = { alive: 'elsewhere', released: 'left', dead: 'interrupted' } as const;

/**
 * Cancels a run of a conversation in whatever process it is: that process is asked to do so, and a run whose process died is
 * ended by an event `CANCELLED`.
 *
 * @returns false if the run is not open
 */
export async function cancelRun(
  setting: RunSetting,
  key: SessionKey,
  invocationId: string,
): Promise<boolean> {
  if (setting.runs.cancel(invocationId, key)) return true;
  const session = await setting.services.sessions.getSession(key);
  if (!session) return false;
  const open = await setting.fence.findOpen(session, watchedFor(setting));
  if (open?.run.id !== invocationId) return false;
  const { run, life } = open;
  if (life.kind === 'alive') return setting.services.sessions.requestCancel(heldRunOf(session, run));
  await endDeadRun(setting, session, run, CANCELLED);
  return true;
}

const CANCELLED = {
  errorCode: 'CANCELLED',
  errorMessage: 'the run was cancelled after its process had ended',
};

function heldRunOf(session: Session, { id, epoch }: Pick<HeldRun, 'id' | 'epoch'>): HeldRun {
  return { ...keyOf(session), id, epoch };
}

/** A runner that takes every session over at once still sees that a run of another process lives. */
function watchedFor({ config: { takeOverAfter } }: RunSetting): number {
  return takeOverAfter === 0 ? DEFAULT_RUN_CONFIG.takeOverAfter : takeOverAfter;
}
