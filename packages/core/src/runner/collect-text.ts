import type { Event } from '../events/event.js';
import type { AddressedRequest } from '../events/pending-request.js';
import type { SessionKey } from '../events/session.js';
import { RunFailedError, RunPausedError } from './errors.js';

/**
 * The text of a run's last answer, which may be the result of a tool that skips summarization, when the run has come to its end.
 *
 * @throws {RunPausedError} where somebody has to be asked first
 * @throws {RunFailedError} where the run ended without an answer
 */
export async function collectText(key: SessionKey, events: AsyncIterable<Event>): Promise<string> {
  const pending: AddressedRequest[] = [];
  let answer = '';
  let failed: Event | undefined;
  for await (const event of events) {
    const { invocationId } = event;
    for (const request of event.pending) pending.push({ ...request, ...key, invocationId });
    failed = event.errorCode === undefined ? failed : event;
    answer = answerOf(event) ?? answer;
  }
  if (pending.length > 0) throw new RunPausedError(key.sessionId, pending);
  if (failed !== undefined) throw new RunFailedError(failed);
  return answer;
}

function answerOf(event: Event): string | undefined {
  if (!event.isFinalResponse) return undefined;
  if (event.text !== '') return event.text;
  const results = event.functionResponses.map(({ response }) => resultText(response));
  return event.actions.skipSummarization === true && results.length > 0 ? results.join('\n') : undefined;
}

/** The text of a result that is one, else its JSON; a value that was wrapped to be an object is unwrapped. */
function resultText(response: Readonly<Record<string, unknown>> | undefined): string {
  if (!response) return '';
  const [key = '', ...others] = Object.keys(response);
  const isWrapped = others.length === 0 && (key === 'result' || key === 'text');
  const value = isWrapped ? response[key] : response;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
