import { AdornError } from '../errors/adorn.error.js';
import { kindOf } from '../errors/describe-thrown.js';

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

/** A tool, or a check of its call, exceeded its time limit. The message goes to the model. */
export class ToolTimeoutError extends AdornError {
  readonly code = 'TOOL_TIMEOUT';

  /** The tool, or the part of its call that took too long. */
  readonly subject: string;

  /** @param part the check or the callback that took too long, if it is not the tool itself */
  constructor(
    toolName: string,
    readonly milliseconds: number,
    part?: string,
  ) {
    super(
      `The ${part === undefined ? '' : `${part} of the `}tool "${toolName}" did not answer within ${String(milliseconds)} ms. ` +
        'Try again later, or continue without it.',
    );
    this.subject = part === undefined ? 'the tool' : `${part} of the tool`;
  }
}

/** `withOptions` was called with a value that is not a `Tool`. */
export class ToolExpectedError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(given: unknown) {
    super(
      `withOptions was called with ${kindOf(given)}, which is not a Tool. Pass a FunctionTool, a class that extends Tool, ` +
        'or defineTool(…) for a function; for a method, set the option in @tool.',
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
