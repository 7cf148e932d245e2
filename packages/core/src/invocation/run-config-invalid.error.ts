import { AdornError } from '../errors/adorn.error.js';

/** A limit of a run is negative or not a number, or its config is not an object. */
export class RunConfigInvalidError extends AdornError {
  readonly code = 'RUN_CONFIG_INVALID';

  constructor(name: string, value: unknown, cure = 'Give a number of at least 0, or Infinity for no limit.') {
    const found = typeof value === 'object' && value !== null ? 'an object' : String(value);
    super(`The run's ${name} is ${Array.isArray(value) ? 'an array' : found}. ${cure}`);
  }
}
