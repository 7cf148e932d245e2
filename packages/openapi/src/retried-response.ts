import { ToolError } from '@adorn/core';
import { type RetryOptions, retryAfterWait, type ToolEffect } from '@adorn/core/backend';

import type { OperationResult } from './request/read-response.js';

/** Statuses of a server that may answer better soon. */
const RETRIED: ReadonlySet<unknown> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Milliseconds that the server of a result asks to wait. */
const waits = new WeakMap<object, number>();

/** Notes for a result what its response says in `Retry-After`. */
export function noteWait(result: OperationResult, headers: Headers): void {
  const wait = retryAfterWait(Object.fromEntries(headers), Date.now());
  if (wait !== undefined) waits.set(result, wait);
}

/** The failure that a result stands for, by its status; undefined if another attempt would have no better result. */
export function failureInResult(result: unknown): ToolError | undefined {
  if (typeof result !== 'object' || result === null || !('status' in result)) return undefined;
  if (!RETRIED.has(result.status)) return undefined;
  return new ToolError(`The API answered with the status ${String(result.status)}.`, {
    retryAfterMs: waits.get(result),
  });
}

/** The `retry` of an operation: of one that reads, or of any if `unsafe` allows it. */
export function retryOf(
  effect: ToolEffect,
  retry: number | RetryOptions | undefined,
): number | RetryOptions | undefined {
  const isUnsafe = typeof retry === 'object' && retry.unsafe === true;
  return effect === 'read' || isUnsafe ? retry : undefined;
}
