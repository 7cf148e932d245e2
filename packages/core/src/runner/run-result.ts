import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { Event } from '../events/event.js';
import type { PendingRequest } from '../events/pending-request.js';
import type { SessionKey } from '../events/session.js';
import { type AgentNode, findAgent } from '../invocation/agent-node.js';
import { readStructuredAnswer } from '../turn/structured-answer.js';
import { OutputInvalidError, RunFailedError, RunPausedError } from './errors.js';
import type { RunResult } from './run.js';

/** Where a run took place. */
export interface RunPlace {
  readonly root: AgentNode;
  readonly key: SessionKey;
  readonly invocationId: string;
}

/** The result of a run that has ended, from its events. */
export async function resultOf<Output>(
  events: readonly Event[],
  { root, key, invocationId }: RunPlace,
): Promise<RunResult<Output>> {
  const { appName, userId, sessionId } = key;
  const { text, author } = lastAnswer(events);
  const pending = pendingOf(events, key);
  const failed = events.findLast(({ errorCode }) => errorCode !== undefined);
  const ended = { text, pending, events, appName, userId, sessionId, invocationId };
  if (pending.length > 0) {
    return { ...ended, status: 'paused', output: undefined, error: new RunPausedError(sessionId, pending) };
  }
  if (failed !== undefined) {
    return { ...ended, status: 'failed', output: undefined, error: new RunFailedError(failed) };
  }
  const agent = findAgent(root, author);
  const answer =
    agent instanceof LlmAgentNode ? await readStructuredAnswer(agent.turn, text) : { output: text };
  if ('fault' in answer) {
    const error = new OutputInvalidError(author, answer.fault, text);
    return { ...ended, status: 'failed', output: undefined, error };
  }
  return { ...ended, status: 'answered', output: answer.output as Output, error: undefined };
}

/** @throws {RunPausedError | RunFailedError} */
export function textOf({ text, error }: RunResult<unknown>): string {
  if (error === undefined || error instanceof OutputInvalidError) return text;
  throw error;
}

/** @throws {RunPausedError | RunFailedError | OutputInvalidError} */
export function outputOf<Output>({ output, error }: RunResult<Output>): Output {
  if (error !== undefined) throw error;
  return output as Output;
}

function pendingOf(events: readonly Event[], key: SessionKey): PendingRequest[] {
  return events.flatMap(({ pending, invocationId }) =>
    pending.map((request) => ({ ...request, ...key, invocationId })),
  );
}

/** The last answer, which may be the result of a tool that skips summarization. */
function lastAnswer(events: readonly Event[]): { readonly text: string; readonly author: string } {
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    const text = event && answerOf(event);
    if (event !== undefined && text !== undefined) return { text, author: event.author };
  }
  return { text: '', author: '' };
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
