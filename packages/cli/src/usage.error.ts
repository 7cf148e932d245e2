import { WRONG_USE } from './command/exit-codes.js';

/** The command line is not valid. The message says what to type instead. */
export class UsageError extends Error {
  readonly exitCode: number = WRONG_USE;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
