import { runSideBySide } from '../dispatch/tool-dispatcher.js';
import { AdornError } from '../errors/adorn.error.js';
import { Event } from '../events/event.js';
import type { ListedRun, RunRecord } from '../events/run-record.js';
import type { Session, SessionKey } from '../events/session.js';
import { requireOptions, RunConfigInvalidError } from '../invocation/run-config.js';
import { optionNames } from '../schema/nearest-names.js';
import { RECOVERY_LIMIT } from '../turn/turn-agent.js';
import type { RunSetting } from './run-setting.js';
import type { ResumeInput } from './run-input.js';
import type { Run, RunResult } from './run.js';

/** The options of `runner.recover`. */
export interface RecoverOptions {
  /**
   * Milliseconds without an event after which a run is presumed dead. Must be longer than the longest model or tool call,
   * because a run of a live process would be taken over, too. Default: 300,000.
   */
  readonly olderThan?: number;
  /** Milliseconds: runs whose last event is older are ignored. Default: 86,400,000, a day. */
  readonly newerThan?: number;
  /** Maximum number of runs that are recovered in parallel. Default: 4. */
  readonly concurrency?: number;
  /** Maximum number of attempts for a run. Then it is ended with the event `RECOVERY_LIMIT`. Default: 3. */
  readonly maxAttempts?: number;
  /** When aborted, begins no further attempt and cancels the current ones. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of recovering a run. */
export interface RecoveredRun<Output = string> extends SessionKey {
  /** The id of the run, which recovery keeps. */
  readonly invocationId: string;
  /** `ended`: given up after too many attempts. `failed`: the attempt threw; a later call tries again. */
  readonly outcome: 'resumed' | 'failed' | 'ended';
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The result of a run that was resumed. */
  readonly result?: RunResult<Output>;
  /** What the attempt threw. */
  readonly error?: unknown;
}

/** The dependencies of `recoverRuns`. */
export interface Recovery<Output> {
  readonly setting: RunSetting;
  readonly options: Required<Omit<RecoverOptions, 'signal'>> & Pick<RecoverOptions, 'signal'>;
  readonly resume: (input: ResumeInput, recovers: RunRecord) => Run<Output>;
}

const OPTIONS = optionNames<RecoverOptions>({
  olderThan: true,
  newerThan: true,
  concurrency: true,
  maxAttempts: true,
  signal: true,
});
const DEFAULTS = { olderThan: 300_000, newerThan: 86_400_000, concurrency: 4, maxAttempts: 3 } as const;

/** @throws {RunConfigInvalidError} */
export function completeRecoverOptions(options: RecoverOptions): Recovery<unknown>['options'] {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null)
    throw RunConfigInvalidError.ofValue(
      'options of runner.recover',
      given,
      'Pass an object, or leave them out.',
    );
  requireOptions('runner.recover', options, OPTIONS);
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const value: unknown = options[name];
    const least = name === 'concurrency' || name === 'maxAttempts' ? 1 : 0;
    if (value !== undefined && !(typeof value === 'number' && value >= least))
      throw RunConfigInvalidError.ofValue(
        name,
        value,
        `Pass a number of at least ${String(least)}, or Infinity for no limit.`,
      );
  }
  const stated = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(stated) };
}

/**
 * Resumes the interrupted runs of an application. Of several processes, only one makes an attempt: the store gives the
 * session to the first one.
 *
 * @throws {NotSupportedError} if the store does not record runs
 */
export async function recoverRuns<Output>(recovery: Recovery<Output>): Promise<RecoveredRun<Output>[]> {
  const { setting, options } = recovery;
  const { sessions, clock } = setting.services;
  const now = clock.now();
  const open = await sessions.listRuns({
    appName: setting.appName,
    status: 'open',
    // Half a millisecond, the unit of the clock: a run of exactly that age is among them.
    touchedBefore: now - (options.olderThan - 0.5) / 1000,
    touchedSince: Math.max(0, now - options.newerThan / 1000),
  });
  const recovered = await runSideBySide(open, options.concurrency, never, (run) => recoverOne(recovery, run));
  return recovered.filter((one) => one !== undefined);
}

function never(): boolean {
  return false;
}

/** Undefined if there is nothing to do, or another process was faster. */
async function recoverOne<Output>(
  { setting, options, resume }: Recovery<Output>,
  { run, ...key }: ListedRun,
): Promise<RecoveredRun<Output> | undefined> {
  if (setting.runs.isBusy(key) || setting.isClosing() || options.signal?.aborted === true) return undefined;
  const session = await setting.services.sessions.getSession(key);
  if (!session || setting.fence.isActive(session, options.olderThan)) return undefined;
  const { id: invocationId, attempts } = run;
  const report = { ...key, invocationId };
  const attempt = attempts + 1;
  try {
    if (attempt > options.maxAttempts) {
      await endRun(setting, session, run);
      return { ...report, attempt: attempts, outcome: 'ended' };
    }
    const { signal } = options;
    const input = { ...key, invocationId, signal, config: { takeOverAfter: 0 } };
    return { ...report, attempt, outcome: 'resumed', result: await resume(input, run) };
  } catch (error) {
    if (isSettled(error)) return undefined;
    return { ...report, attempt, outcome: 'failed', error };
  }
}

/** Ends a run with `RECOVERY_LIMIT`. No process, even one that is still alive, can append to it afterwards. */
async function endRun({ services, root }: RunSetting, session: Session, run: RunRecord): Promise<void> {
  const { sessions, clock } = services;
  const at = clock.now();
  const body = { author: root.name, turnComplete: true, ...RECOVERY_LIMIT };
  const event = new Event(body, { invocationId: run.id, timestamp: at });
  await sessions.appendEvent(session, event, {
    opens: { id: run.id, after: run.epoch, at },
    becomes: 'ended',
  });
}

/** True if another process was faster, the session was deleted, or the run had ended and only its record was missing. */
function isSettled(error: unknown): boolean {
  if (!AdornError.is(error)) return false;
  return ['SESSION_NOT_FOUND', 'SESSION_TAKEN_OVER', 'NOTHING_TO_RESUME'].includes(error.code);
}
