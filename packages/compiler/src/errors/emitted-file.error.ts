import { DerivationFailedError } from './derivation-failed.error.js';

/** An emitted file is not there, not whole, or not that of its source as it is now: tsc has not run, or is at it. */
export class EmittedFileError extends DerivationFailedError {}
