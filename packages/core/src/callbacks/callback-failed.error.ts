import { AdornError } from '../errors/adorn.error.js';

/** A callback threw, or returned something that is no answer. It is not the model's error. */
export class CallbackFailedError extends AdornError {
  readonly code = 'CALLBACK_FAILED';

  constructor(hook: string, fault: string, options?: ErrorOptions) {
    super(`The callback ${hook} failed: ${fault}`, options);
  }
}
