import { runSideBySide } from '../../gates/tool-dispatcher.js';
import { AdornError, optionNames, isObject } from '@adorn/schema';
import { Event, type EventBody } from '../../events/event.js';
import type { ListedRun, RunRecord } from '../../events/run-record.js';
import type { Session, SessionKey } from '../../events/session.js';
import { DEFAULT_RUN_CONFIG, requireOptions, RunConfigInvalidError } from '../../run/run-config.js';
import { PendingIndex } from '../../log/pending-index.js';
import { RECOVERY_LIMIT, RUN_ABANDONED } from '../../turn/turn-agent.js';
import { leaseOf } from '../begin/run-holds.js';
import type { RunSetting } from '../begin/run-setting.js';
import type { ResumeInput } from '../begin/run-input.js';
import type { Run, RunResult } from '../run.js';

/** The options of `runner.recover`. */
export interface RecoverOptions {
  /**
   * Milliseconds for which a process has not renewed the hold of a run, after which the run is presumed dead. For a run
   * without a hold, of an earlier version or imported, and for one that failed or whose reader stopped: milliseconds without
   * an event. Default: `takeOverAfter` of the runner for a hold, else 300,000.
   */
  readonly olderThan?: number;
  /**
   * Milliseconds: runs whose last event is older are not resumed. If it is older than a day as well, the run is ended with the
   * event `RUN_ABANDONED`, so that nobody looks at it again. Default: 86,400,000, a day.
   */
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
  /** `ended`: given up after too many attempts, or too old. `failed`: the attempt threw; a later call tries again. */
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
  readonly options: CompleteRecoverOptions;
  /**
   * True if it is repeated every few seconds: only the runs whose holds have lapsed by now. Otherwise a run whose hold was
   * renewed lately is watched until it is renewed again, or has lapsed.
   */
  readonly isSweep: boolean;
  readonly resume: (input: ResumeInput, recovers: RunRecord) => Run<Output>;
}

/** The options with the defaults filled in, but for those that have none. */
type CompleteRecoverOptions = Required<Omit<RecoverOptions, 'signal' | 'olderThan'>> &
  Pick<RecoverOptions, 'signal' | 'olderThan'>;

const OPTIONS = optionNames<RecoverOptions>({
  olderThan: true,
  newerThan: true,
  concurrency: true,
  maxAttempts: true,
  signal: true,
});
const DEFAULTS = { newerThan: 86_400_000, concurrency: 4, maxAttempts: 3 } as const;

/** The options that are numbers, with their least values. */
const LEAST = { olderThan: 0, newerThan: 0, concurrency: 1, maxAttempts: 1 } as const;

/** Milliseconds without an event after which a run without a hold is presumed dead. */
const WITHOUT_HOLD_MS = 300_000;

/** The interval of looking at runs whose holds were renewed lately, in milliseconds. */
const POLL_MS = 250;

/**
 * Checks options that are used later.
 *
 * @throws {RunConfigInvalidError}
 */
export function checkRecoverOptions(options: unknown): void {
  completeRecoverOptions(options as RecoverOptions);
}

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
  for (const name of Object.keys(LEAST) as (keyof typeof LEAST)[]) {
    const value: unknown = options[name];
    const least = LEAST[name];
    if (value !== undefined && !(typeof value === 'number' && value >= least))
      throw RunConfigInvalidError.ofValue(
        name,
        value,
        `Pass a number of at least ${String(least)}, or Infinity for no limit.`,
      );
  }
  const signal: unknown = options.signal;
  if (signal !== undefined && !(isObject(signal) && 'aborted' in signal))
    throw RunConfigInvalidError.ofValue('signal', signal, 'Pass the signal of an AbortController.');
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
  const dead = await findDead(recovery);
  const { concurrency } = recovery.options;
  const recovered = await runSideBySide(dead, concurrency, never, (run) => recoverOne(recovery, run));
  const old = await findAbandoned(recovery);
  const ended = await runSideBySide(old, concurrency, never, (run) => endAbandoned(recovery, run));
  return [...recovered, ...ended].filter((one) => one !== undefined);
}

/** How old a message is when a repeated recovery takes its sender, who looks after it, for dead, in seconds. */
const DEAD_SENDER_S = 10;

/** Begins the runs of messages that were sent, and that no run has read: those that read them, or were to, have died. */
export async function recoverMail<Output>({
  setting,
  options,
  isSweep,
}: Recovery<Output>): Promise<RecoveredRun<Output>[]> {
  const { appName, services, mail } = setting;
  const keys = await services.sessions.listMailboxes(appName);
  const sentBefore = isSweep ? services.clock.now() - DEAD_SENDER_S : Infinity;
  const recovered = await runSideBySide(keys, options.concurrency, never, async (key) => {
    const isOpen = await hasLivingRun(setting, key);
    if (setting.isClosing() || options.signal?.aborted === true) return [];
    // The run may end before it sees the mail. A repeated recovery looks again.
    if (isOpen && isSweep && !setting.runs.isBusy(key)) return [];
    const runs = await mail.beginAll(key, sentBefore);
    return isOpen ? [] : Promise.all(runs.map((run) => endOfMail(key, run as Run<Output>)));
  });
  return recovered.flat().filter((end) => end !== undefined);
}

/** True if a run is open in a process that lives: nobody waits for its end. */
async function hasLivingRun(
  { runs, services, fence, config: { takeOverAfter } }: RunSetting,
  key: SessionKey,
): Promise<boolean> {
  if (runs.isBusy(key)) return true;
  const session = await services.sessions.getSession(key);
  const open = session && (await fence.findOpen(session, takeOverAfter || DEFAULT_RUN_CONFIG.takeOverAfter));
  return open?.life.kind === 'alive';
}

/** Undefined if another process has taken the message. */
async function endOfMail<Output>(
  key: SessionKey,
  run: Run<Output>,
): Promise<RecoveredRun<Output> | undefined> {
  const report = { ...key, invocationId: run.invocationId, attempt: 1 };
  try {
    const result = await run;
    return result.events.length === 0 ? undefined : { ...report, outcome: 'resumed', result };
  } catch (error) {
    return { ...report, outcome: 'failed', error };
  }
}

/** The runs whose processes died, the oldest first. A run whose hold was renewed lately is watched until it is known. */
async function findDead({ setting, options, isSweep }: Recovery<unknown>): Promise<ListedRun[]> {
  const dead: ListedRun[] = [];
  let watched: ReadonlyMap<string, number> | undefined;
  for (;;) {
    const fresh = new Map<string, number>();
    for (const listed of await listOpen(setting, options)) {
      const { hold } = listed;
      const address = addressOf(listed);
      const before = watched ? watched.get(address) : Infinity;
      // Not watched, or renewed since.
      if (before === undefined) continue;
      if (hold?.silentFor === undefined) {
        if (!isSweep) dead.push(listed);
      } else if (hasLapsed(hold.silentFor, setting, options)) dead.push(listed);
      else if (hold.silentFor >= before || !watched) fresh.set(address, hold.silentFor);
    }
    const isKnown = isSweep || options.olderThan !== undefined || fresh.size === 0;
    if (isKnown || setting.isClosing() || options.signal?.aborted === true) return dead;
    watched = fresh;
    // The store measures the age of a hold by its own clock, so this is the time of Node.js.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The open runs of other processes. */
async function listOpen(
  { appName, runs, services: { sessions, clock } }: RunSetting,
  { newerThan }: CompleteRecoverOptions,
): Promise<ListedRun[]> {
  const open = await sessions.listRuns({
    appName,
    status: 'open',
    touchedSince: Math.max(0, clock.now() - newerThan / 1000),
  });
  return open.filter(({ run: _run, hold: _hold, ...key }) => !runs.isBusy(key));
}

/** The most runs that one call ends as abandoned. */
const MOST_ABANDONED = 100;

/** Open runs that are too old to be resumed, and whose processes are gone. */
async function findAbandoned({ setting, options }: Recovery<unknown>): Promise<ListedRun[]> {
  const { appName, runs, services } = setting;
  const { signal } = options;
  const newerThan = Math.max(options.newerThan, DEFAULTS.newerThan);
  if (newerThan === Infinity || setting.isClosing() || signal?.aborted === true) return [];
  const touchedBefore = services.clock.now() - newerThan / 1000;
  const query = { appName, status: 'open', touchedBefore, limit: MOST_ABANDONED } as const;
  const old = touchedBefore > 0 ? await services.sessions.listRuns(query) : [];
  return old.filter(({ run: _run, hold, ...key }) => {
    const isGone = hold?.silentFor === undefined || hasLapsed(hold.silentFor, setting, options);
    return isGone && !runs.isBusy(key);
  });
}

/** Undefined if another process was faster, or goes on with the run. */
async function endAbandoned(
  { setting }: Recovery<unknown>,
  { run, hold: _hold, ...key }: ListedRun,
): Promise<RecoveredRun<never> | undefined> {
  const report = { ...key, invocationId: run.id, attempt: run.attempts };
  try {
    const session = await setting.services.sessions.getSession(key);
    if (session?.lastRun?.epoch !== run.epoch) return undefined;
    await endDeadRun(setting, session, run, RUN_ABANDONED);
    return { ...report, outcome: 'ended' };
  } catch (error) {
    return isSettled(error) ? undefined : { ...report, outcome: 'failed', error };
  }
}

function addressOf({ userId, sessionId, run }: ListedRun): string {
  return JSON.stringify([userId, sessionId, run.id, run.epoch]);
}

function never(): boolean {
  return false;
}

function hasLapsed(
  silentFor: number,
  { config: { takeOverAfter } }: RunSetting,
  { olderThan }: CompleteRecoverOptions,
): boolean {
  // An application that takes every session over at once, or never, still does not recover runs that live.
  const isLease = takeOverAfter !== 0 && takeOverAfter !== Infinity;
  return silentFor >= (olderThan ?? leaseOf(isLease ? takeOverAfter : DEFAULT_RUN_CONFIG.takeOverAfter));
}

/** Undefined if there is nothing to do, or another process was faster. */
async function recoverOne<Output>(
  { setting, options, resume }: Recovery<Output>,
  { run, hold, ...key }: ListedRun,
): Promise<RecoveredRun<Output> | undefined> {
  if (setting.runs.isBusy(key) || setting.isClosing() || options.signal?.aborted === true) return undefined;
  const session = await setting.services.sessions.getSession(key);
  if (session?.lastRun?.epoch !== run.epoch) return undefined;
  const isHeld = hold?.silentFor !== undefined;
  if (!isHeld && setting.fence.isRecent(session, options.olderThan ?? WITHOUT_HOLD_MS)) return undefined;
  const { id: invocationId, attempts } = run;
  const report = { ...key, invocationId };
  const attempt = attempts + 1;
  try {
    if (attempt > options.maxAttempts) {
      await endDeadRun(setting, session, run, RECOVERY_LIMIT);
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

/**
 * Ends a run whose process died, by an event with an error. No process, even one that is still alive, can append to the run
 * afterwards.
 *
 * @throws {SessionTakenOverError} if another process was faster
 */
export async function endDeadRun(
  { services, root }: RunSetting,
  session: Session,
  run: RunRecord,
  error: Pick<EventBody, 'errorCode' | 'errorMessage'>,
): Promise<void> {
  const { sessions, clock } = services;
  const at = clock.now();
  const body = { author: root.name, turnComplete: true, ...error };
  // A question of another branch can still be answered.
  const isWaiting = PendingIndex.of(session).hasRequest(({ invocationId }) => invocationId === run.id);
  const event = new Event(body, { invocationId: run.id, timestamp: at });
  await sessions.appendEvent(session, event, {
    opens: { id: run.id, after: run.epoch, at },
    becomes: isWaiting ? 'paused' : 'ended',
  });
}

/** True if another process was faster, the session was deleted, or the run had ended and only its record was missing. */
function isSettled(error: unknown): boolean {
  if (!AdornError.is(error)) return false;
  return ['SESSION_NOT_FOUND', 'SESSION_TAKEN_OVER', 'NOTHING_TO_RESUME'].includes(error.code);
}
