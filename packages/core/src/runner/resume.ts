import { functionResponsesOf } from '../content/content-parts.js';
import type { Content } from '../content/genai-types.js';
import { keyOf, logOf, type Session } from '../events/session.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import { NothingToResumeError } from './errors.js';
import { isUnderWay } from './session-fence.js';

/**
 * The message that the interrupted run of a session answers; undefined if there is none.
 *
 * @param invocationId the run to continue. Default: the last one
 * @throws {NothingToResumeError} if the last run has ended, is paused, or is another one
 */
export function interruptedMessage(session: Session, invocationId: string | undefined): Content | undefined {
  let isResumable = false;
  for (const event of effectiveEventsBackwards(logOf(session))) {
    if (event.actions.compaction !== undefined) continue;
    if (!isResumable) {
      if (!isUnderWay(event)) break;
      isResumable = true;
      if (invocationId !== undefined && event.invocationId !== invocationId)
        throw NothingToResumeError.ofRun(invocationId, event.invocationId);
    }
    if (event.author === 'user' && functionResponsesOf(event.content).length === 0) return event.content;
  }
  if (!isResumable) throw NothingToResumeError.inSession(keyOf(session).sessionId);
  return undefined;
}
