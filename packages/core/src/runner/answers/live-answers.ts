import { functionResponsesOf, hasWords } from '../../events/content-parts.js';
import { runPathOf } from '../../events/event-place.js';
import { isRequestName } from '../../events/pending-request.js';
import { isSameJson } from '@adorn/schema';
import type { Invocation } from '../../run/invocation.js';
import { Replay } from '../../run/replay.js';
import { InvocationChains } from '../../log/invocation-chains.js';
import type { Answer } from '../../log/pending-call-index.js';
import { storeUserMessage } from '../begin/begin-run.js';
import { checkedAnswers } from './check-answers.js';
import { callersOf } from '../begin/entry-agents.js';
import { RequestersMixedError, RequestOfOtherAgentError } from '../errors.js';
import { inputChecks, readAnswers } from './read-answers.js';
import type { CheckedRunInput } from '../begin/run-input.js';

/**
 * Stores the answers of a message while a live session is open, and gives them to the agents that made the calls. The
 * calls of earlier runs are continued, too.
 *
 * @param spoken the paths of the agents that have spoken in the session
 * @throws as `readAnswers` and `checkedAnswers`
 * @throws {RequestersMixedError} if it says something besides, and its sender did not open the session
 * @throws {RequestOfOtherAgentError} if none of these agents made the call; nothing is stored
 */
export async function storeLiveAnswers(
  invocation: Invocation,
  request: Pick<CheckedRunInput, 'message' | 'answerer'>,
  spoken: ReadonlySet<string>,
): Promise<void> {
  const { root, session } = invocation;
  const { message, answerer } = request;
  const given = readAnswers(session, message, answerer, await inputChecks(session, message));
  const read = await checkedAnswers(invocation, given, request);
  const { answers, content } = read;
  const [first] = answers;
  if (first && hasWords(content) && !isSameJson(answerer.answering.principal, invocation.requester))
    throw RequestersMixedError.besideAnswer(first.request?.id ?? first.open.call.id ?? '');
  const callers = callersOf(session, answers, undefined);
  refuseOthers([...answers, ...callers], spoken);
  const results = functionResponsesOf(content).filter(({ name }) => !isRequestName(name));
  const changed = results.length > 0 ? await invocation.live?.changeResponses(results) : undefined;
  await storeUserMessage(root, changed?.actions, read, content, NONE_INTERRUPTED, { told: changed?.told });
  const chain = callers.length > 0 ? new InvocationChains(session).of(runsOf(answers)) : undefined;
  // The agents that run as tools of these calls resume.
  if (chain) invocation.replay = new Replay(chain, root.agent);
  const taken = answers.filter(({ kind }) => kind !== 'counted');
  for (const answer of taken.length === 0 ? [] : [...taken, ...callers]) invocation.addAnswer(answer);
}

const NONE_INTERRUPTED = Object.freeze({ again: [], unknown: [], pending: [] });

function runsOf(answers: readonly Answer[]): string[] {
  return answers.map(({ open }) => open.event.invocationId);
}

/** Refuses an answer that no agent of the session would take. That of an agent that runs as a tool is taken with its call. */
function refuseOthers(answers: readonly Answer[], spoken: ReadonlySet<string>): void {
  for (const { open, request } of answers) {
    const { isolationScope, author } = open.event;
    const path = runPathOf(open.event) ?? author;
    if (isolationScope === undefined && !spoken.has(path))
      throw new RequestOfOtherAgentError(request?.id ?? open.call.id ?? '', path);
  }
}
