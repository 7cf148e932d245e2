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
  abstract readonly code: AdornErrorCode;
  readonly [BRAND] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  static is(value: unknown): value is AdornError {
    try {
      return typeof value === 'object' && value !== null && BRAND in value;
    } catch {
      // A Proxy may throw.
      return false;
    }
  }
}
