import { AdornError } from '@adorn/core';

/** A tool has reached its `rateLimit`. The message goes to the model. */
export class ToolRateLimitedError extends AdornError {
  readonly code = 'TOOL_RATE_LIMITED';

  /** @param retryAfterMs milliseconds until a call may start */
  constructor(
    toolName: string,
    { calls, perMs, scope }: { readonly calls: number; readonly perMs: number; readonly scope: string },
    readonly retryAfterMs: number,
  ) {
    super(
      `The tool "${toolName}" allows ${countOf(calls)} in ${secondsOf(perMs)} ${forScope(scope)}; this limit is reached. ` +
        `Try again in ${secondsOf(retryAfterMs)}, or continue without it.`,
    );
  }
}

/** A tool has reached its `concurrency` limit, and its queue is full. The message goes to the model. */
export class ToolBusyError extends AdornError {
  readonly code = 'TOOL_BUSY';

  constructor(
    toolName: string,
    { calls, maxQueue, scope }: { readonly calls: number; readonly maxQueue: number; readonly scope: string },
  ) {
    super(
      `The tool "${toolName}" runs ${countOf(calls)} at a time ${forScope(scope)}, and ${String(maxQueue)} more are ` +
        'waiting. Try again later, or continue without it.',
    );
  }
}

function countOf(calls: number): string {
  return calls === 1 ? 'one call' : `${String(calls)} calls`;
}

function forScope(scope: string): string {
  return scope === 'user' ? 'per user' : 'in total';
}

function secondsOf(milliseconds: number): string {
  return `${String(Math.ceil(milliseconds / 1000))} s`;
}
