import type { ReadonlyContext } from '../invocation/callback-context.js';
import type { Cancellation } from '../invocation/cancellation.js';
import { composedKey } from '../names/composed-key.js';
import type { Arguments } from '../schema/argument-check.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { CacheScope, Tool, ToolTraits } from '../tools/tool.js';
import type { SharedPlaces } from '../runtime/shared-places.js';

/** A call as policies see it. It has passed all gates. */
export interface PolicyCall {
  readonly tool: Tool;
  readonly args: Arguments;
  readonly context: ToolContext;
  readonly cancellation: Cancellation;
  /** Undefined if each runner counts its own calls. */
  readonly places: SharedPlaces | undefined;
  /** Runs the tool once, within its time limit. */
  attempt(): Promise<unknown>;
  /** True if the tool declares this call repeatable. Never rejects. */
  isIdempotent(): Promise<boolean>;
  /** Called before the delay that follows a failed attempt. */
  retrying(failure: FailedAttempt): void;
}

/** A failed attempt that is retried. */
export interface FailedAttempt {
  readonly error: unknown;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
}

/** Runs the tool of a call, through its policies. */
export type PolicyRun = (call: PolicyCall) => Promise<unknown>;

/** One policy of one tool, with its state between calls. */
export interface Policy {
  around(next: PolicyRun): PolicyRun;
}

/** Creates a policy from a tool's options; undefined if the tool does not have the policy. */
export type PolicyFactory = (traits: ToolTraits) => Policy | undefined;

/** A key for the calls that share the state of a policy. */
export function scopeKey(
  scope: CacheScope,
  { appName, userId, sessionId, invocationId }: ReadonlyContext,
): string {
  switch (scope) {
    case 'app':
      return composedKey(appName);
    case 'user':
      return composedKey(appName, userId);
    case 'session':
      return composedKey(appName, userId, sessionId);
    case 'invocation':
      return composedKey(appName, userId, sessionId, invocationId);
  }
}
