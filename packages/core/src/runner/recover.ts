import { runSideBySide } from '../dispatch/tool-dispatcher.js';
import { AdornError } from '../errors/adorn.error.js';
import { Event } from '../events/event.js';
import { keyOf, logOf, type Session, type SessionKey } from '../events/session.js';
import { isRecoveryAttempt, RECOVERY_ATTEMPT } from '../log/invocation-chains.js';
import { requireOptions, RunConfigInvalidError } from '../invocation/run-config.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import { optionNames } from '../schema/nearest-names.js';
import type { FoundSession } from '../sessions/session.service.js';
import { RECOVERY_LIMIT } from '../turn/turn-agent.js';
import {
  hasInterrupted,
  hasRunUnderWay,
  interruptedCalls,
  interruptedMessage,
  isPausedOnBranch,
  isPauseOfBranch,
  onlyWaits,
} from './interrupted-run.js';
import { isUnderWay } from './session-fence.js';
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
  readonly resume: (input: ResumeInput) => Run<Output>;
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
 * Resumes the unfinished runs of an application. An attempt begins with an event, which is appended only if the log has
 * not moved on: of several processes, only one makes the attempt.
 *
 * @throws {NotSupportedError} if the store cannot list unfinished runs
 */
export async function recoverRuns<Output>(recovery: Recovery<Output>): Promise<RecoveredRun<Output>[]> {
  const { setting, options } = recovery;
  const { sessions, clock } = setting.services;
  const now = clock.now();
  const before = now - options.olderThan / 1000;
  const since = Math.max(0, now - options.newerThan / 1000);
  const matches = (last: Event): boolean => isUnderWay(last, setting.root) || isPauseOfBranch(last);
  const unfinished = await sessions.listByLastEvent(setting.appName, { before, since, matches });
  const recovered = await runSideBySide(unfinished, options.concurrency, never, (run) =>
    recoverOne(recovery, run, before),
  );
  return recovered.filter((one) => one !== undefined);
}

function never(): boolean {
  return false;
}

/** Undefined if there is nothing to do, or another process was faster. */
async function recoverOne<Output>(
  recovery: Recovery<Output>,
  { appName, userId, sessionId, lastEvent: { invocationId } }: FoundSession,
  before: number,
): Promise<RecoveredRun<Output> | undefined> {
  const { setting, options, resume } = recovery;
  const key = { appName, userId, sessionId };
  if (setting.runs.isBusy(key) || setting.isClosing() || options.signal?.aborted === true) return undefined;
  const report = { ...key, invocationId };
  let attempt = 0;
  try {
    const session = await setting.services.sessions.getSession(key);
    if (session === undefined || !isResumable(setting, session, before)) return undefined;
    attempt = attemptsOf(session) + 1;
    if (attempt > options.maxAttempts) {
      // A parallel branch has ended, so the workflow might have continued: the attempts have shown that it does not.
      if (onlyWaits(setting.root, session)) return undefined;
      await endRun(setting, session, invocationId);
      return { ...report, attempt: attempt - 1, outcome: 'ended' };
    }
    await append(setting, session, { invocationId, customMetadata: { [RECOVERY_ATTEMPT]: attempt } });
    const { signal } = options;
    const result = await resume({ ...key, invocationId, signal, config: { takeOverAfter: 0 } });
    return { ...report, attempt, outcome: 'resumed', result };
  } catch (error) {
    if (isOvertaken(error)) return undefined;
    return { ...report, attempt, outcome: 'failed', error };
  }
}

/** Checks the current log: another process may have resumed the run, or the run waits for a person. */
function isResumable({ root }: RunSetting, session: Session, before: number): boolean {
  const last = logOf(session).at(-1);
  if (last === undefined || last.timestamp >= before) return false;
  const interrupted = interruptedCalls(root, session, { answers: [] });
  try {
    interruptedMessage(root, session, undefined, interrupted);
    return hasInterrupted(interrupted) || hasRunUnderWay(root, session) || !isPausedOnBranch(session);
  } catch {
    return false;
  }
}

/** The number of recovery attempts of the last run of a session. */
function attemptsOf(session: Session): number {
  let attempts = 0;
  for (const event of effectiveEventsBackwards(logOf(session))) {
    if (isRecoveryAttempt(event)) attempts++;
    else if (event.author === 'user') break;
  }
  return attempts;
}

/** Ends a run with `RECOVERY_LIMIT`. No process, even one that is still alive, can append to it afterwards. */
async function endRun(setting: RunSetting, session: Session, invocationId: string): Promise<void> {
  const { services, root } = setting;
  const epoch = await services.sessions
    .claimInvocation(keyOf(session), invocationId)
    .catch(ignoreUnsupported);
  await append(
    setting,
    session,
    { invocationId, author: root.name, turnComplete: true, ...RECOVERY_LIMIT },
    epoch,
  );
}

function ignoreUnsupported(error: unknown): undefined {
  if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
  return undefined;
}

async function append(
  { services: { sessions, clock } }: RunSetting,
  session: Session,
  fields: Pick<Event, 'invocationId'> & Partial<ConstructorParameters<typeof Event>[0]>,
  epoch?: number,
): Promise<void> {
  const event = new Event({ author: 'user', timestamp: clock.now(), ...fields });
  await sessions.appendEvent(session, event, {
    expectedSeq: session.nextSeq,
    ...(epoch !== undefined && { epoch }),
  });
}

/** True if another process appended first, or the session was deleted meanwhile. */
function isOvertaken(error: unknown): boolean {
  if (!AdornError.is(error)) return false;
  return ['SESSION_CONFLICT', 'SESSION_NOT_FOUND', 'SESSION_TAKEN_OVER', 'NOTHING_TO_RESUME'].includes(
    error.code,
  );
}
