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

/** Repeats a failed attempt, after a delay that doubles each time, or that the failure asks for. */
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
    let delayMs: number | undefined;
    for (let attempt = 1; ; attempt++) {
      const ended = await endOfAttempt(call, next, delayMs);
      if (ended.kind === 'succeeded') return ended.result;
      const { error } = ended;
      delayMs = (await this.isRepeated(error, attempt, call)) ? this.delayAfter(error, attempt) : undefined;
      if (delayMs !== undefined) call.retrying({ error, attempt, delayMs });
      else if (ended.kind === 'answered') return ended.result;
      else throw attempt === 1 ? error : afterAttempts(error);
    }
  }

  private async isRepeated(error: unknown, attempt: number, call: PolicyCall): Promise<boolean> {
    if (attempt >= this.attempts || hasEnded(call) || !isWorthRepeating(error)) return false;
    if ((askedDelay(error) ?? 0) > this.maxDelayMs) return false;
    return attempt > 1 || this.mayRepeat(call);
  }

  /** Calls the tool's `idempotent` function, if it has one, once for each call. */
  private async mayRepeat(call: PolicyCall): Promise<boolean> {
    const { effect, idempotent } = call.tool.traits;
    const isDecided = this.isUnsafe || effect === 'read' || typeof idempotent !== 'function';
    return isDecided || call.isIdempotent();
  }

  private delayAfter(error: unknown, attempt: number): number {
    const longest = Math.min(this.delayMs * 2 ** (attempt - 1), this.maxDelayMs);
    return askedDelay(error) ?? Math.round(longest * (1 - Math.random() / 2));
  }
}

/** How an attempt ended. One that was answered has failed, and its result is that of the call if it is the last. */
type EndedAttempt =
  | { readonly kind: 'succeeded'; readonly result: unknown }
  | { readonly kind: 'answered'; readonly result: unknown; readonly error: ToolError }
  | { readonly kind: 'failed'; readonly error: unknown };

/** @param delayMs the delay before the attempt; undefined for the first one */
async function endOfAttempt(
  call: PolicyCall,
  next: PolicyRun,
  delayMs: number | undefined,
): Promise<EndedAttempt> {
  try {
    if (delayMs !== undefined) await restartAfter(delayMs, call);
    const result = await next(call);
    const error = call.tool.failureIn?.(result);
    return error === undefined ? { kind: 'succeeded', result } : { kind: 'answered', result, error };
  } catch (error) {
    return { kind: 'failed', error };
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

/** The delay that a `ToolError` asks for; undefined if it asks for none. */
function askedDelay(error: unknown): number | undefined {
  if (describeThrown(error).code !== 'TOOL_FAILED') return undefined;
  const { retryAfterMs } = error as Partial<ToolError>;
  return typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined;
}
