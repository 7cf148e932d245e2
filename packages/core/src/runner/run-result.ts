import type { Event } from '../events/event.js';
import { answerTextOf } from '../events/answer-text.js';
import { runPathOf } from '../events/node-path.js';
import type { PendingRequest } from '../events/pending-request.js';
import type { SessionKey } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { agentOf } from '../invocation/replay.js';
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
  const answer = lastAnswer(events);
  const text = answer?.text ?? '';
  const pending = pendingOf(events, key);
  const failed = events.findLast(({ errorCode }) => errorCode !== undefined);
  const ended = { text, pending, events, appName, userId, sessionId, invocationId };
  if (pending.length > 0) {
    return { ...ended, status: 'paused', output: undefined, error: new RunPausedError(sessionId, pending) };
  }
  if (failed !== undefined) {
    return { ...ended, status: 'failed', output: undefined, error: new RunFailedError(failed) };
  }
  const agent = answer && agentOf(root, answer.event);
  const read = (await agent?.readOutput?.(text)) ?? { output: text };
  if ('fault' in read) {
    const error = new OutputInvalidError(agent?.name ?? '', read.fault, text);
    return { ...ended, status: 'failed', output: undefined, error };
  }
  return { ...ended, status: 'answered', output: read.output as Output, error: undefined };
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
  return events.flatMap((event) => {
    const { pending, invocationId } = event;
    const path = runPathOf(event);
    return pending.map((request) => ({
      ...request,
      ...key,
      invocationId,
      ...(path !== undefined && { path }),
    }));
  });
}

/** The last answer, which may be the result of a tool that skips summarization. */
function lastAnswer(events: readonly Event[]): { readonly text: string; readonly event: Event } | undefined {
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    const text = event && answerTextOf(event);
    if (event !== undefined && text !== undefined) return { text, event };
  }
  return undefined;
}
