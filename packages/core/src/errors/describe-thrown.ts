import { AdornError } from './adorn.error.js';
import type { AdornErrorCode } from './error-codes.js';

/** What can be said of a thrown value. */
export interface ThrownDescription {
  /** Name of an error, else the value's type. */
  readonly name: string;
  readonly message: string;
  /** The code of an `AdornError`. */
  readonly code: AdornErrorCode | undefined;
}

/**
 * Describes whatever was thrown. Never throws itself: a Proxy, an object without a prototype and an error with a
 * throwing getter are described as well as they can be.
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

/** The kind of a value, in words for an error. Reads nothing of the value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'absent';
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return isList(value) ? 'a list' : 'an object';
}

/** `Array.isArray` throws at a Proxy that was revoked. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
