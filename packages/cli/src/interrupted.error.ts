import { INTERRUPTED } from './command/exit-codes.js';

/** A person has cancelled a question of a command. */
export class InterruptedError extends Error {
  readonly exitCode: number = INTERRUPTED;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
