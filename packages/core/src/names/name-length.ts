import { NameTooLongError } from './name-too-long.error.js';

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
 * Refuses a scope that not every store could keep: a service calls it before it writes.
 *
 * @throws {NameTooLongError}
 */
export function checkScope({ appName, userId, sessionId }: NamedScope): void {
  checkName('application name', appName);
  checkName('user id', userId);
  if (sessionId !== undefined) checkName('session id', sessionId);
}

/**
 * The same of one name, such as a credential's key.
 *
 * @param what the kind of name, as an error calls it
 * @throws {NameTooLongError}
 */
export function checkName(what: string, name: string): void {
  if (isNameTooLong(name)) throw new NameTooLongError(what, name, bytesOf(name), MAX_NAME_BYTES);
}

/** Names of an ordinary length are not measured. */
export function isNameTooLong(name: string): boolean {
  return name.length * BYTES_OF_A_UNIT > MAX_NAME_BYTES && bytesOf(name) > MAX_NAME_BYTES;
}

function bytesOf(name: string): number {
  return Buffer.byteLength(JSON.stringify(name)) - '""'.length;
}
