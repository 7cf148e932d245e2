import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { Content } from '../content/genai-types.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { Event } from '../events/event.js';
import { runPathOf } from '../events/event-place.js';
import { isRequestName } from '../events/pending-request.js';
import { isRecoveryAttempt } from '../log/invocation-chains.js';
import { keyOf, logOf, type Session } from '../events/session.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import { NothingToResumeError } from './errors.js';
import { invocationOf, isUnderWay } from './session-fence.js';
import type { InterruptedCalls } from './unanswered-calls.js';

/**
 * The message that the interrupted run of a session answers; undefined if there is none.
 *
 * @param invocationId the run to continue. Default: the last one
 * @param interrupted the calls that the run left: where there are any, it continues though a person is asked about others
 * @throws {NothingToResumeError} if the last run has ended, is paused, or is another one
 */
export function interruptedMessage(
  root: AgentNode,
  session: Session,
  invocationId: string | undefined,
  interrupted: InterruptedCalls,
): Content | undefined {
  const hasInterruptedCalls = interrupted.again.length + interrupted.unknown.length > 0;
  let isResumable = false;
  for (const event of effectiveEventsBackwards(logOf(session))) {
    if (event.actions.compaction !== undefined || isRecoveryAttempt(event)) continue;
    if (!isResumable) {
      if (!isUnderWay(event, root) || (!hasInterruptedCalls && isQuestion(event))) break;
      isResumable = true;
      if (invocationId !== undefined && invocationOf(event) !== invocationId)
        throw NothingToResumeError.ofRun(invocationId, event.invocationId);
    }
    if (event.author !== 'user' || runPathOf(event) !== undefined) continue;
    if (functionResponsesOf(event.content).length === 0) return event.content;
  }
  if (!isResumable) throw NothingToResumeError.inSession(keyOf(session).sessionId);
  return undefined;
}

/** True for a request to a person: where the process died before its call was answered as pending, it waits all the same. */
function isQuestion({ content }: Event): boolean {
  const calls = functionCallsOf(content);
  return calls.length > 0 && calls.every(({ name }) => isRequestName(name));
}
