import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import { runIdOf, runPathOf } from '../../events/event-place.js';
import { continuesInBackground, type Event, isRetried } from '../../events/event.js';
import { isRemark } from '../../events/remark.js';
import { isRecoveryAttempt, type RunRecord, type RunStatus } from '../../events/run-record.js';
import { logOf, type Session } from '../../events/session.js';

/** The last run of a session. In a store that does not record runs, it is found by the log. */
export function lastRunOf(session: Session): RunRecord | undefined {
  return session.lastRun ?? runOfLog(logOf(session));
}

/**
 * The record of the last run of a log that was written without records: by an earlier version, or by another kit. Used
 * once, at import and migration. Where the log may or may not go on, the run is taken for interrupted: to resume a run
 * that is over does nothing.
 *
 * @param events the log, or its end
 */
export function runOfLog(events: readonly Event[]): RunRecord | undefined {
  const last = events.findLast(isStep);
  if (!last) return undefined;
  return { id: runIdOf(last), status: statusAfter(last), epoch: 1, openedAt: last.timestamp, attempts: 0 };
}

/** False for a summary that was written after a run, for a remark, and for a record of an earlier version's recovery. */
function isStep(event: Event): boolean {
  const { actions, nodeInfo } = event;
  const isSummary = actions.compaction !== undefined && nodeInfo?.path === undefined;
  return !isSummary && !isRecoveryAttempt(event) && !isRemark(event);
}

function statusAfter(event: Event): RunStatus {
  const { author, actions, content, errorCode, isolationScope, turnComplete } = event;
  if (actions.rewindBeforeInvocationId !== undefined) return 'ended';
  if (author === 'user' || isolationScope !== undefined || continuesInBackground(event) || isRetried(event))
    return 'open';
  const responses = functionResponsesOf(content);
  if (responses.some(({ willContinue }) => willContinue === true)) return 'paused';
  const isNested = runPathOf(event)?.includes('/') === true;
  if (isNested && errorCode !== 'CANCELLED') return 'open';
  if (turnComplete || errorCode !== undefined || actions.endOfAgent === true) return 'ended';
  if (actions.skipSummarization === true || actions.escalate === true) return 'ended';
  if (actions.agentState) return 'open';
  return responses.length > 0 || functionCallsOf(content).length > 0 ? 'open' : 'ended';
}
