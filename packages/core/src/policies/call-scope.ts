import type { ReadonlyContext } from '../invocation/callback-context.js';
import type { CacheScope } from '../tools/policy-options.js';

/** A key for the calls that share the state of a policy. */
export function scopeKey(
  scope: CacheScope,
  { appName, userId, sessionId, invocationId }: ReadonlyContext,
): string {
  switch (scope) {
    case 'app':
      return JSON.stringify([appName]);
    case 'user':
      return JSON.stringify([appName, userId]);
    case 'session':
      return JSON.stringify([appName, userId, sessionId]);
    case 'invocation':
      return JSON.stringify([appName, userId, sessionId, invocationId]);
  }
}
