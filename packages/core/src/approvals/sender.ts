import { kindOf } from '@adorn/schema';
import type { Logger } from '../runtime/logger.js';
import { type Principal, PrincipalInvalidError, toPrincipal } from './principal.js';

/**
 * Who sent a request to a server, as its `authenticate` says: `{ id, roles, tenant, attributes, actsFor }`, or `{ userId }`;
 * one of `id` and `userId` is there.
 */
export interface SenderInput extends Partial<Principal> {
  /** Owns the sessions, state, memory and credentials that the request may read. Default: the `id`. */
  readonly userId?: string;
  /** Another name for `id`, of somebody who acts for the user `userId`. Default: the user. */
  readonly by?: string;
}

/** Who sent a request, and for which user. */
export interface Sender {
  /** Owns the sessions, state, memory and credentials that the request may read. */
  readonly userId: string;
  /** Who begins runs and answers requests. */
  readonly principal: Principal;
}

const SOURCE = 'authenticate';

/**
 * Reads what the `authenticate` of a server returned. A value that is there and malformed, such as `null` for the tenant, is
 * refused and not read as absent: an absent tenant, or id, allows more.
 *
 * @returns undefined for nobody: undefined, null or an empty text
 * @throws {PrincipalInvalidError} for anything else that is not an id or a principal
 */
export function readSender(given: unknown): Sender | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given === 'string') return { userId: given, principal: toPrincipal(given, SOURCE) };
  if (typeof given !== 'object' || Array.isArray(given))
    throw new PrincipalInvalidError(SOURCE, `it is ${kindOf(given)}`);
  const { id: ownId, by, userId: user, ...facts } = given as SenderInput;
  const id = [ownId, by, user].find((one) => one !== undefined);
  const userId = user === undefined ? id : user;
  if (typeof userId !== 'string' || userId === '')
    throw new PrincipalInvalidError(SOURCE, `its ${user === undefined ? 'id' : 'userId'} is no text`);
  const { roles, tenant, attributes, actsFor = id === userId ? undefined : userId } = facts;
  return { userId, principal: toPrincipal({ id, roles, tenant, attributes, actsFor }, SOURCE) };
}

/**
 * Reads who sent a request, for a door. Nobody is let in by what is no principal: it is a fault of the application, and logged.
 *
 * @param what was refused then, for the log: `a request`
 * @param read returns undefined for nobody
 */
export function admitted<Caller>(
  what: string,
  logger: Pick<Logger, 'error'> | undefined,
  read: () => Caller | undefined,
): Caller | undefined {
  try {
    return read();
  } catch (error) {
    logger?.error(`${what} was refused: authenticate returned no principal`, { error });
    return undefined;
  }
}
