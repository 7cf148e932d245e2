import { AdornError } from './adorn.error.js';
import type { AdornErrorCode } from './error-codes.js';

/** Name, message and code of a thrown value. */
export interface ThrownDescription {
  /** Name of an error, else the value's type. */
  readonly name: string;
  /** The message of an error, else the thrown value as text. */
  readonly message: string;
  /** The code of an `AdornError`. */
  readonly code: AdornErrorCode | undefined;
}

/**
 * Describes a thrown value. Never throws, not even for a Proxy, an object without a prototype or an error with a
 * throwing getter.
 */
export function describeThrown(thrown: unknown): ThrownDescription {
  if (!isError(thrown))
    return { name: typeof thrown, message: textOf(() => thrown, typeof thrown), code: undefined };
  return {
    name: textOf(() => thrown.name, 'Error'),
    message: textOf(() => thrown.message, 'an error whose message cannot be read'),
    code: codeOf(thrown),
  };
}

function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error || AdornError.is(thrown);
  } catch {
    return false;
  }
}

function codeOf(thrown: unknown): AdornErrorCode | undefined {
  try {
    return AdornError.is(thrown) ? thrown.code : undefined;
  } catch {
    return undefined;
  }
}

function textOf(read: () => unknown, fallback: string): string {
  try {
    return String(read());
  } catch {
    return fallback;
  }
}

/** The kind of a value, as words for an error message. Does not read the value's properties. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'absent';
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return isList(value) ? 'a list' : 'an object';
}

/** `Array.isArray` throws for a revoked Proxy. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
