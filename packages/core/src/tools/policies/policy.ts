import type { ReadonlyContext } from '../../run/callback-context.js';
import type { Cancellation } from '../../run/cancellation.js';
import { shareClass } from '../../metadata/shared-class.js';
import { composedKey, type Arguments } from '@adorn/schema';
import type { ToolContext } from '../tool-context.js';
import type { Tool } from '../tool.js';
import type { CacheScope } from '../tool-traits.js';
import type { SharedPlaces } from '../../runtime/shared-places.js';

/** A call as policies see it. It has passed all gates. */
export interface PolicyCall {
  /** The tool that the model called. */
  readonly tool: Tool;
  /** Checked against the declaration, and frozen. */
  readonly args: Arguments;
  /** The context of the call, which the tool gets too. */
  readonly context: ToolContext;
  /** Ends with the run. What waits within a policy waits through it. */
  readonly cancellation: Cancellation;
  /** Undefined if each runner counts its own calls. */
  readonly places: SharedPlaces | undefined;
  /** True if the tool waits for the answer of a person: it runs again from its start then. */
  readonly isWaiting: boolean;
  /** True if the tool made a request to a person, also an answered one, or looked up a credential. */
  readonly hasAsked: boolean;
  /** Runs the tool once, within its time limit. */
  attempt(): Promise<unknown>;
  /** True if the tool declares this call repeatable. Never rejects. */
  isIdempotent(): Promise<boolean>;
  /** What the tool has done so far besides its result, to compare: writes, actions, a handle, requests to a person. */
  effects(): unknown;
  /** The result as JSON text; undefined if it is not JSON. */
  jsonOf(result: unknown): string | undefined;
  /** Called before the delay that follows a failed attempt. */
  retrying(failure: RetriedAttempt): void;
  /** Called after the delay: the next attempt gets all answers again, and a signal that is not aborted. */
  restart(): void;
}

/** A failed attempt of a call that is retried. */
export interface RetriedAttempt {
  /** What the tool threw, or the error of its time limit. */
  readonly error: unknown;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
}

/** Runs the tool of a call, through its policies. */
export type PolicyRun = (call: PolicyCall) => Promise<unknown>;

/**
 * The policies of one runner's tools, with their state: `cache`, `retry`, `rateLimit` and `concurrency` of `@tool`. The class
 * is its own container identifier; the module `toolPolicies` of `@adorn/policies` binds it.
 */
export abstract class ToolPolicies {
  static {
    shareClass(this, 'ToolPolicies');
  }

  /** The run of a tool's calls through its policies. Agents that list the same tool share their state. */
  abstract runOf(tool: Tool, agentName: string): PolicyRun;

  /** Drops all state. */
  abstract close(): void;
}

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
