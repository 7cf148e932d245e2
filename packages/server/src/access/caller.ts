import { NotFoundError } from '../errors.js';
import type { Principal } from '../server-options.js';

/** Who sent a request, and for which users it may speak. */
export interface Caller {
  /** The user of a request that names none. */
  readonly userId: string;
  /** Who answers requests for approval, in the log. */
  readonly by: string;
  readonly channel: string;
  /** True for the holder of the token, who may act as any user. */
  readonly isDeveloper: boolean;
}

export function callerOf(principal: Principal): Caller {
  const { userId, by = userId, channel = 'http' } = principal;
  return { userId, by, channel, isDeveloper: false };
}

/** The holder of the token, or everybody if there is none. */
export const DEVELOPER: Caller = Object.freeze({
  userId: 'user',
  by: 'user',
  channel: 'http',
  isDeveloper: true,
});

/**
 * The user that a request speaks for.
 *
 * @param named the user id in the path or body
 * @throws {NotFoundError} if it is another user: its existence is not told
 */
export function userOf(caller: Caller, named: string | undefined): string {
  if (named === undefined || named === caller.userId) return caller.userId;
  if (caller.isDeveloper) return named;
  throw new NotFoundError(`User not found: ${named}`);
}

/** Who signs the answers of a request. */
export function signatureOf(
  caller: Caller,
  userId: string,
): { readonly by: string; readonly channel: string } {
  return { by: caller.isDeveloper ? userId : caller.by, channel: caller.channel };
}
