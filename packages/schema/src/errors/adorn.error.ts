import type { AdornErrorCode } from './error-codes.js';

const BRAND = Symbol.for('adorn.error');

/**
 * Base class of every error that Adorn throws. The message says what happened, what was found instead, and what to
 * do now.
 *
 * Test with `AdornError.is(error)` rather than `instanceof`: it also recognises errors of another copy of this
 * package in the same process.
 */
export abstract class AdornError extends Error {
  /** A stable name of the kind of error, such as `SESSION_NOT_FOUND`. Messages may change, codes do not. */
  abstract readonly code: AdornErrorCode;
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** The mark by which copies of core recognise errors of each other. */
  get [BRAND](): true {
    return true;
  }

  /**
   * True for an error of any copy of core in the process; false for every other value, also for one that throws when
   * read.
   */
  static is(value: unknown): value is AdornError {
    try {
      return typeof value === 'object' && value !== null && BRAND in value;
    } catch {
      // A Proxy may throw.
      return false;
    }
  }
}
