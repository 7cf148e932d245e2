import { AdornError } from '../errors/adorn.error.js';
import { kindOf } from '../errors/describe-thrown.js';

/**
 * Maximum length of a name of a stored item, in bytes of UTF-8. Characters that JSON escapes (control characters, quotation
 * marks, backslashes, lone surrogates) count as their escapes. An artifact's key has four names, which must fit into
 * one PostgreSQL index entry of 2,704 bytes; all stores use the same limit.
 */
export const MAX_NAME_BYTES = 512;

/** Maximum bytes of one UTF-16 unit, such as `\u0000`. */
const BYTES_OF_A_UNIT = 6;

/** The application, user and, optionally, session that own a stored item. */
export interface NamedScope {
  /** The application that owns the item. */
  readonly appName: string;
  /** The user that owns the item. */
  readonly userId: string;
  /** The session that owns the item. Default: the user owns it. */
  readonly sessionId?: string;
}

/**
 * Refuses a scope with a name that is not a string, is empty or is too long. Services call it before they write.
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
 * Like {@link checkScope}, for a scope that names a session.
 *
 * @throws {NameInvalidError | NameTooLongError}
 */
export function checkSessionKey(key: Required<NamedScope>): void {
  checkScope(key);
  assertName('session id', key.sessionId);
}

/**
 * Like {@link checkScope}, for one name, such as the key of a credential.
 *
 * @param what the kind of name, for the error
 * @throws {NameInvalidError | NameTooLongError}
 */
export function checkName(what: string, name: string): void {
  assertName(what, name);
  refuseTooLong(what, name);
}

/**
 * Refuses a scope with a name that is not a string. Services call it before they read or delete: a database may treat
 * other values as equal, such as the users 105 and 205.
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
 * Like {@link assertScope}, for a scope that names a session.
 *
 * @throws {NameInvalidError}
 */
export function assertSessionKey(key: Required<NamedScope>): void {
  assertScope(key);
  assertName('session id', key.sessionId);
}

/**
 * Like {@link assertScope}, for one name. Names are never converted, so that `5` and `"5"` cannot become the same name.
 *
 * @param what the kind of name, for the error
 * @throws {NameInvalidError}
 */
export function assertName(what: string, name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') throw new NameInvalidError(what, name);
}

/**
 * Checks only the length of a name: a state key may be empty.
 *
 * @throws {NameTooLongError}
 */
export function refuseTooLong(what: string, name: string): void {
  if (isNameTooLong(name)) throw new NameTooLongError(what, name, bytesOf(name), MAX_NAME_BYTES);
}

/** True if a name exceeds the limit. Short names are not measured. */
export function isNameTooLong(name: string): boolean {
  return name.length * BYTES_OF_A_UNIT > MAX_NAME_BYTES && bytesOf(name) > MAX_NAME_BYTES;
}

function bytesOf(name: string): number {
  return Buffer.byteLength(JSON.stringify(name)) - '""'.length;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A name is not a string, or is empty. Nothing was read or written. */
class NameInvalidError extends AdornError {
  readonly code = 'NAME_INVALID';

  /** @param what the kind of name, such as "session id" */
  constructor(what: string, name: unknown) {
    super(
      `The ${what} must be a string, but is ${name === '' ? 'empty' : kindOf(name)}. ` +
        'Nothing was read or written. Pass a string; convert a numeric id with String(id).',
    );
  }
}

/** A name is longer than stores accept. Nothing was written. */
class NameTooLongError extends AdornError {
  readonly code = 'NAME_TOO_LONG';

  /** @param what the kind of name, such as "session id" */
  constructor(what: string, name: string, bytes: number, limit: number) {
    super(
      `The ${what} "${name.slice(0, 60)}…" has ${String(bytes)} bytes; the limit is ${String(limit)}. ` +
        'Nothing was written. Use a shorter name, such as a hash.',
    );
  }
}

/** Maximum length of a name that is shown in full: no existing tool, agent or parameter has a longer name. */
const LONGEST = 128;

/** A name for a message or a log, cut if it is too long: a model may invent any name. */
export function shownName(name: string): string {
  return shortened(name, LONGEST);
}

/** Cuts a text to a number of UTF-16 units, without splitting a surrogate pair. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}
