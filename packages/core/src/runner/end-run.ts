import type { Event } from '../events/event.js';
import type { HeldRun } from '../events/run-record.js';
import { keyOf, type Session } from '../events/session.js';
import { isCancelledEnd } from '../run/cancellation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { OperationEnd } from '../run/telemetry/observation.js';
import { TRIPWIRE } from '../run/tripwire.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { endEvent } from '../turn/turn-agent.js';
import { NothingToResumeError } from './errors.js';
import { unclaimedEvents } from './recover/interrupted-run.js';
import type { RunOutcome } from './run.js';
import type { RunProgress } from './run-progress.js';

/** What a run threw. */
export interface Failure {
  readonly error: unknown;
}

/** Responses to unclaimed answers, and the end of a run that was cancelled or whose budget is spent. */
export function closingEvents(run: RunProgress, root: InvocationContext): Event[] {
  const cut = cutAnswers(run, root);
  const end = cut.length === 0 ? unreportedEnd(run, root) : undefined;
  const unclaimed = unclaimedEvents(root, run.isTreeChanged);
  return end ? [...unclaimed, end] : [...unclaimed, ...cut];
}

/** What a cancelled run has shown of answers whose agents did not end by themselves. Each tells the end of the run. */
function cutAnswers({ setting, shown }: RunProgress, context: InvocationContext): Event[] {
  if (!context.cancellation.isCancelled) return [];
  return shown.cut(() => endEvent(setting.root, context, 'CANCELLED'));
}

/** Undefined if the last event reports the end. */
function unreportedEnd({ last, setting }: RunProgress, context: InvocationContext): Event | undefined {
  const { root } = setting;
  if (context.cancellation.isCancelled)
    return last && isCancelledEnd(last) ? undefined : endEvent(root, context, 'CANCELLED');
  const { code: errorCode, message: errorMessage, tripwire } = context.spent ?? {};
  if (errorCode === undefined || last?.errorCode === errorCode) return undefined;
  const customMetadata = tripwire && { [TRIPWIRE]: tripwire };
  return context.event({ author: root.name, errorCode, errorMessage, customMetadata, turnComplete: true });
}

/** Refuses further events of the run, records its end, and lets the next run of the session begin. */
export function releaseSession(run: RunProgress, failure: Failure | undefined): void {
  const { handle, invocation, request, setting, taken } = run;
  const { compactor, fence, holds, lives, runs } = setting;
  const { heldRun } = run;
  holds.delete(run);
  if (request.live) lives.delete(request.key);
  handle.cancellation.remove(handle);
  if (failure) handle.cancellation.cancel();
  else handle.cancellation.end();
  invocation?.end();
  if (invocation) {
    const { session, log } = invocation;
    fence.release(session, log.epoch);
    if (log.epoch !== undefined && isOver(failure)) close(run, session, log.epoch);
  } else if (taken) fence.release(taken.session, taken.epoch);
  if (heldRun && !isOver(failure)) releaseHeldRun(run, heldRun);
  runs.leave(handle);
  if (run.mailbox.isToForward) void run.setting.mail.forward(request.key);
  if (invocation) compactor?.consider(invocation.session, (key) => runs.isBusy(key));
}

/** False if the run can be resumed: its reader has stopped, or a store has failed. */
function isOver(failure: Failure | undefined): boolean {
  return failure === undefined || failure.error instanceof NothingToResumeError;
}

/** Records the end of the run. */
function close(run: RunProgress, session: Session, epoch: number): void {
  const { invocationId: id } = run.handle;
  const status = run.openRequests().length > 0 ? 'paused' : 'ended';
  record(run, () => run.setting.services.sessions.closeRun(keyOf(session), { id, epoch }, status));
}

/** Records that this process does not go on with the run, which can be resumed. */
function releaseHeldRun(run: RunProgress, held: HeldRun): void {
  record(run, () => run.setting.services.sessions.releaseRun(held));
}

/** Writes to the record of the run. Nobody waits for it but the runner's own `close`. */
function record({ handle, setting }: RunProgress, write: () => Awaitable<void>): void {
  const { invocationId } = handle;
  const recording = async (): Promise<void> => {
    try {
      await write();
    } catch (error) {
      setting.services.logger.warn('the end of a run could not be recorded', { invocationId, error });
    }
  };
  setting.runs.await(recording());
}

/** How a run ended, for its observers. A run that never had its session was cancelled while it waited. */
export function observedEnd({ invocation, last }: RunProgress, { waiting }: RunOutcome): OperationEnd {
  const errorCode = last?.errorCode;
  if (!invocation || errorCode === 'CANCELLED') return { status: 'cancelled' };
  if (errorCode !== undefined) return { status: 'failed', errorCode };
  return { status: waiting.length > 0 ? 'paused' : 'completed' };
}
