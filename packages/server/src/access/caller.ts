import {
  type Principal as CorePrincipal,
  PrincipalInvalidError,
  type PrincipalInput,
  readSender,
  toPrincipal,
} from '@adorn/core/backend';

import { AccessRefusedError, NotFoundError } from '../errors.js';
import type { Principal } from '../server-options.js';

/** Who sent a request, and for which users it may speak. */
export interface Caller {
  /** The user of a request that names none. */
  readonly userId: string;
  /** Who begins runs and answers requests. */
  readonly principal: CorePrincipal;
  readonly channel: string;
  /** True for a developer of the application, who may see its inside and call its tools. */
  readonly isDeveloper: boolean;
  /** True for the holder of the token, who may act as any user. */
  readonly isAnyUser: boolean;
}

/**
 * The caller that `authenticate` names; undefined if it names nobody.
 *
 * @throws {PrincipalInvalidError} for what cannot be read
 */
export function callerOf(given: unknown): Caller | undefined {
  const sender = readSender(given);
  if (sender === undefined) return undefined;
  const { channel = 'http', isDeveloper = false } = (typeof given === 'string' ? {} : given) as Principal;
  if (typeof channel !== 'string') throw new PrincipalInvalidError('authenticate', 'its channel is no text');
  if (typeof isDeveloper !== 'boolean')
    throw new PrincipalInvalidError('authenticate', 'its isDeveloper is neither true nor false');
  return { ...sender, channel, isDeveloper, isAnyUser: false };
}

/** The holder of the token, or everybody if there is none. */
export const TOKEN_HOLDER: Caller = Object.freeze({
  userId: 'user',
  principal: toPrincipal('user', 'the token'),
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

/** Who signs the messages and answers of a request. */
export interface Signature {
  /** A principal, never just a name; but the name of a user, in whatever tenant, for the holder of the token. */
  readonly by: PrincipalInput;
  readonly channel: string;
}

/** Who signs the messages and answers of a request for a user. */
export function signatureOf({ isAnyUser, principal, channel }: Caller, userId: string): Signature {
  return { by: isAnyUser ? userId : principal, channel };
}

/** @throws {AccessRefusedError} if the caller is no developer */
export function requireDeveloper({ isDeveloper }: Caller): void {
  if (isDeveloper) return;
  const cure = 'Let authenticate return { userId, isDeveloper: true } for developers.';
  throw new AccessRefusedError(403, 'it is for developers of the application', cure);
}
