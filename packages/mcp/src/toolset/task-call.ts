import { setTimeout as delay } from 'node:timers/promises';

import { ToolError } from '@adorn/core';

import { McpRequestFailedError } from '../errors.js';
import type { ProgressOfCall } from './mcp-server-link.js';
import type { RawResult } from './tool-result.js';

/** Sends one request about a task. */
export type SendRequest = (method: string, params: Record<string, unknown>) => Promise<RawResult>;

/** How a task is waited for. */
export interface TaskOptions {
  /** Milliseconds for which the server is to keep the task and its result. */
  readonly ttl: number;
  /** Aborted when the call is to end early: the server is then told to cancel the task. */
  readonly signal: AbortSignal;
  readonly onprogress: (progress: ProgressOfCall) => void;
}

/** How often a server is asked how far a task is: as it says, within these bounds, in milliseconds. */
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 10_000;
const DEFAULT_POLL_MS = 1_000;

/** How long the server may take to cancel a task that nobody waits for. */
const CANCEL_MS = 5_000;

/**
 * Calls a tool that its server runs as a task: the server answers with a task, and gives the result of that when it is done
 * (MCP 2025-11-25, tasks). Meanwhile what it says of the state of the task is the progress of the call.
 *
 * @throws {ToolError} if the server answers with neither a task nor a result
 */
export async function callAsTask(
  call: Record<string, unknown>,
  send: SendRequest,
  options: TaskOptions,
): Promise<RawResult> {
  const created = await send('tools/call', { ...call, task: { ttl: options.ttl } });
  const task = (created['task'] ?? {}) as RawResult;
  const { taskId } = task;
  if (typeof taskId !== 'string') return withoutTask(created);
  const done = new AbortController();
  void tellStates(task, taskId, { ...options, send, done: done.signal });
  try {
    // The server answers once the task has ended; what it asks meanwhile comes with this request.
    return await send('tasks/result', { taskId });
  } catch (error) {
    if (options.signal.aborted) void cancel(taskId, send);
    throw afterTheStart(error);
  } finally {
    done.abort();
  }
}

/** A server may have run the tool at once, and answer as to any other call. */
function withoutTask(answer: RawResult): RawResult {
  if (Array.isArray(answer['content']) || answer['structuredContent'] !== undefined) return answer;
  const fault =
    'The MCP server answered the call, which may have taken effect, with neither a task nor a result.';
  throw new ToolError(fault, { mayHaveTakenEffect: true });
}

/** A server that refuses to tell the result of a task has begun it all the same. */
function afterTheStart(error: unknown): unknown {
  if (!(error instanceof McpRequestFailedError) || error.failure.kind !== 'refused') return error;
  return new McpRequestFailedError(error.server, { ...error.failure, kind: 'failed' }, { cause: error });
}

/** Tells each new state of a task until the call is over. Never rejects: the result says how the task ended. */
async function tellStates(
  first: RawResult,
  taskId: string,
  { send, onprogress, done }: Pick<TaskOptions, 'onprogress'> & { send: SendRequest; done: AbortSignal },
): Promise<void> {
  let progress = 0;
  let told: unknown;
  try {
    for (let state = first; !done.aborted; state = await send('tasks/get', { taskId })) {
      const { statusMessage, pollInterval } = state;
      if (typeof statusMessage === 'string' && statusMessage !== told) {
        onprogress({ progress: ++progress, message: statusMessage });
        told = statusMessage;
      }
      await delay(pollOf(pollInterval), undefined, { signal: done, ref: false });
    }
  } catch {
    // The call is over, or the server does not tell.
  }
}

function pollOf(interval: unknown): number {
  if (typeof interval !== 'number' || !(interval > 0)) return DEFAULT_POLL_MS;
  return Math.min(Math.max(interval, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}

async function cancel(taskId: string, send: SendRequest): Promise<void> {
  const late = delay(CANCEL_MS, undefined, { ref: false });
  await Promise.race([send('tasks/cancel', { taskId }), late]).catch(() => undefined);
}
