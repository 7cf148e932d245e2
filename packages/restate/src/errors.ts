import { AdornError } from '@adorn/core';

/** Restate refused a request, or could not be reached. */
export class RestateRequestError extends AdornError {
  readonly code = 'RESTATE_REQUEST_FAILED';

  constructor(url: string, found: string, options?: ErrorOptions) {
    super(
      `Restate at ${url} answered ${found}. Start it there, and let its admin address reach the address of the workers.`,
      options,
    );
  }
}
