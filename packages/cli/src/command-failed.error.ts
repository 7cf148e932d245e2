import { FAILED } from './command/exit-codes.js';

/** A command could not do its work, though its command line is valid. The message says what to do. */
export class CommandFailedError extends Error {
  readonly exitCode: number = FAILED;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
