import { AdornError } from '../../errors/adorn.error.js';
import { type AdornErrorCode, ERROR_CODES } from '../../errors/error-codes.js';
import type { DerivationFault } from './derived-file.js';

/**
 * The compiler could not derive a record. Where it said why, its code and message are this error's: a type that
 * JSON cannot hold is TYPE_NOT_REPRESENTABLE, a `@tool` that stands wrong is TOOL_MISPLACED.
 */
export class DerivationFailedError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(message: string, code: AdornErrorCode = 'DERIVATION_FAILED') {
    super(message);
    this.code = code;
  }

  /** One error for all faults: the code is that of the first, the message tells them all. */
  static of(faults: readonly DerivationFault[]): DerivationFailedError {
    const code = ERROR_CODES.find((known) => known === faults[0]?.code);
    return new this(faults.map(({ message }) => message).join('\n'), code);
  }
}
