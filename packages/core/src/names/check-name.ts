import { AdornError } from '../errors/adorn.error.js';
import { kindOf } from '../errors/describe-thrown.js';

/**
 * How long a name that something is kept under may be, in bytes of UTF-8; of what JSON escapes (control characters,
 * quotation marks, backslashes, halves of surrogate pairs) the escape counts. Four such names, those of an artifact,
 * fit into an entry of an index of PostgreSQL, which holds 2,704 bytes; every other store keeps to the same.
 */
export const MAX_NAME_BYTES = 512;

/** What a character takes at the most: `\u0000`. */
const BYTES_OF_A_UNIT = 6;

/** Whose, and in which conversation, something is kept. */
export interface NamedScope {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId?: string;
}

/**
 * Refuses a scope that a store cannot keep under: a service calls it before it writes.
 *
 * @throws {NameInvalidError | NameTooLongError}
 */
export function checkScope(scope: NamedScope): void {
  assertScope(scope);
  refuseTooLong('application name', scope.appName);
  refuseTooLong('user id', scope.userId);
  if (scope.sessionId !== undefined) refuseTooLong('session id', scope.sessionId);
}

/**
 * The same for a scope that names a session.
 *
 * @throws {NameInvalidError | NameTooLongError}
 */
export function checkSessionKey(key: Required<NamedScope>): void {
  checkScope(key);
  assertName('session id', key.sessionId);
}

/**
 * The same for one name, such as the key of a credential.
 *
 * @param what the kind of name, for the error
 * @throws {NameInvalidError | NameTooLongError}
 */
export function checkName(what: string, name: string): void {
  assertName(what, name);
  refuseTooLong(what, name);
}

/**
 * Refuses a scope whose names are no texts: a service calls it before it reads or deletes. A database folds other
 * values together: to it, the users 105 and 205 may be one.
 *
 * @throws {NameInvalidError}
 */
export function assertScope(scope: NamedScope): void {
  if (!isObject(scope)) throw new NameInvalidError('application name', undefined);
  assertName('application name', scope.appName);
  assertName('user id', scope.userId);
  if (scope.sessionId !== undefined) assertName('session id', scope.sessionId);
}

/**
 * The same for a scope that names a session.
 *
 * @throws {NameInvalidError}
 */
export function assertSessionKey(key: Required<NamedScope>): void {
  assertScope(key);
  assertName('session id', key.sessionId);
}

/**
 * The same for one name. A name is never converted: `5` and `"5"` would be one.
 *
 * @param what the kind of name, for the error
 * @throws {NameInvalidError}
 */
export function assertName(what: string, name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') throw new NameInvalidError(what, name);
}

/**
 * Refuses a name for its length alone: a key of a state may be empty.
 *
 * @throws {NameTooLongError}
 */
export function refuseTooLong(what: string, name: string): void {
  if (isNameTooLong(name)) throw new NameTooLongError(what, name, bytesOf(name), MAX_NAME_BYTES);
}

/** Names of an ordinary length are not measured. */
export function isNameTooLong(name: string): boolean {
  return name.length * BYTES_OF_A_UNIT > MAX_NAME_BYTES && bytesOf(name) > MAX_NAME_BYTES;
}

function bytesOf(name: string): number {
  return Buffer.byteLength(JSON.stringify(name)) - '""'.length;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A name is no text, or an empty one. Nothing was read or written under it. */
export class NameInvalidError extends AdornError {
  readonly code = 'NAME_INVALID';

  /** @param what the kind of name, such as "session id" */
  constructor(what: string, name: unknown) {
    super(
      `The ${what} must be a text, and is ${name === '' ? 'empty' : kindOf(name)}. ` +
        'Nothing was read or written. Pass a string: a number of a database as String(number).',
    );
  }
}

/** Something was to be kept under a name that is longer than stores take: nothing was written. */
export class NameTooLongError extends AdornError {
  readonly code = 'NAME_TOO_LONG';

  /** @param what the kind of name, such as "session id" */
  constructor(what: string, name: string, bytes: number, limit: number) {
    super(
      `The ${what} "${name.slice(0, 60)}…" has ${String(bytes)} bytes, and a name may have ${String(limit)}. ` +
        'Nothing was written. Give a shorter one, such as a hash of it.',
    );
  }
}
