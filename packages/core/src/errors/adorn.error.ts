import type { AdornErrorCode } from './error-codes.js';

const BRAND = Symbol.for('adorn.error');

/**
 * Base of every error Adorn throws. Its message says what happened and to whom, what was there instead, and
 * what to do now.
 *
 * Recognise one with `AdornError.is(error)` rather than `instanceof`: two copies of this package in one
 * process still agree on the brand.
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
