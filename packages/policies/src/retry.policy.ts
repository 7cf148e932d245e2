import type { ToolError } from '@adorn/core';
import {
  type AdornErrorCode,
  describeThrown,
  InvocationCancelledError,
  type PolicyCall,
  type PolicyRun,
  type RetryOptions,
  type ToolTraits,
} from '@adorn/core/backend';

import type { Policy } from './policy.js';

export function retryPolicy({ retry }: ToolTraits): Policy | undefined {
  if (retry === undefined) return undefined;
  return new RetryPolicy(typeof retry === 'number' ? { attempts: retry } : retry);
}

/** Errors that are not retried: permanent ones, and those of policies, for which the tool did not run. */
const PERMANENT: ReadonlySet<AdornErrorCode | undefined> = new Set([
  'CANCELLED',
  'CREDENTIAL_REJECTED',
  'RESULT_NOT_JSON',
  'RESULT_TOO_LARGE',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_BUSY',
  'TOOL_RATE_LIMITED',
]);

/** Repeats a failed attempt, after a delay that doubles each time. */
class RetryPolicy implements Policy {
  private readonly attempts: number;
  private readonly delayMs: number;
  private readonly maxDelayMs: number;
  private readonly isUnsafe: boolean;

  constructor({ attempts, delayMs = 500, maxDelayMs = 30_000, unsafe = false }: RetryOptions) {
    this.attempts = attempts;
    this.delayMs = delayMs;
    this.maxDelayMs = maxDelayMs;
    this.isUnsafe = unsafe;
  }

  around(next: PolicyRun): PolicyRun {
    return (call) => this.run(call, next);
  }

  private async run(call: PolicyCall, next: PolicyRun): Promise<unknown> {
    let delayMs = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 1) await restartAfter(delayMs, call);
        return await next(call);
      } catch (error) {
        const isLast = attempt >= this.attempts || hasEnded(call) || !isWorthRepeating(error);
        if (isLast || (attempt === 1 && !(await this.mayRepeat(call))))
          throw attempt === 1 ? error : afterAttempts(error);
        delayMs = this.delayAfter(attempt);
        call.retrying({ error, attempt, delayMs });
      }
    }
  }

  /** Calls the tool's `idempotent` function, if it has one, once for each call. */
  private async mayRepeat(call: PolicyCall): Promise<boolean> {
    const { effect, idempotent } = call.tool.traits;
    const isDecided = this.isUnsafe || effect === 'read' || typeof idempotent !== 'function';
    return isDecided || call.isIdempotent();
  }

  private delayAfter(attempt: number): number {
    const longest = Math.min(this.delayMs * 2 ** (attempt - 1), this.maxDelayMs);
    return Math.round(longest * (1 - Math.random() / 2));
  }
}

async function restartAfter(delayMs: number, call: PolicyCall): Promise<void> {
  if (!(await call.cancellation.sleep(delayMs))) throw new InvocationCancelledError();
  call.restart();
}

/** Converts a cancellation error: after an attempt, the call may have taken effect even if no attempt was running. */
function afterAttempts(error: unknown): unknown {
  return error instanceof InvocationCancelledError ? InvocationCancelledError.duringCall() : error;
}

/** True if the call was cancelled, or paused by a request of the tool: it runs again with the answer. */
function hasEnded({ cancellation, isWaiting }: PolicyCall): boolean {
  return cancellation.isCancelled || isWaiting;
}

function isWorthRepeating(error: unknown): boolean {
  const { code } = describeThrown(error);
  return !PERMANENT.has(code) && !(code === 'TOOL_FAILED' && (error as Partial<ToolError>).isFinal === true);
}
