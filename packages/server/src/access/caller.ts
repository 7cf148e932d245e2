import { AccessRefusedError, NotFoundError } from '../errors.js';
import type { Principal } from '../server-options.js';

/** Who sent a request, and for which users it may speak. */
export interface Caller {
  /** The user of a request that names none. */
  readonly userId: string;
  /** Who answers requests for approval, in the log. */
  readonly by: string;
  readonly channel: string;
  /** True for a developer of the application, who may see its inside and call its tools. */
  readonly isDeveloper: boolean;
  /** True for the holder of the token, who may act as any user. */
  readonly isAnyUser: boolean;
}

export function callerOf(principal: Principal): Caller {
  const { userId, by = userId, channel = 'http', isDeveloper = false } = principal;
  return { userId, by, channel, isDeveloper, isAnyUser: false };
}

/** The holder of the token, or everybody if there is none. */
export const TOKEN_HOLDER: Caller = Object.freeze({
  userId: 'user',
  by: 'user',
  channel: 'http',
  isDeveloper: true,
  isAnyUser: true,
});

/**
 * The user that a request speaks for.
 *
 * @param named the user id in the path or body
 * @throws {NotFoundError} if it is another user: its existence is not told
 */
export function userOf(caller: Caller, named: string | undefined): string {
  if (named === undefined || named === caller.userId) return caller.userId;
  if (caller.isAnyUser) return named;
  throw new NotFoundError(`User not found: ${named}`);
}

/** Who signs the answers of a request. */
export function signatureOf(
  caller: Caller,
  userId: string,
): { readonly by: string; readonly channel: string } {
  return { by: caller.isAnyUser ? userId : caller.by, channel: caller.channel };
}

/** @throws {AccessRefusedError} if the caller is no developer */
export function requireDeveloper({ isDeveloper }: Caller): void {
  if (isDeveloper) return;
  const cure = 'Let authenticate return { userId, isDeveloper: true } for developers.';
  throw new AccessRefusedError(403, 'it is for developers of the application', cure);
}
