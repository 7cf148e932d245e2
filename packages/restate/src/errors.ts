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

/** Other machines would reach a worker that answers whoever calls it. Nothing was opened. */
export class RestateWorkerOpenError extends AdornError {
  readonly code = 'RESTATE_WORKER_OPEN';

  constructor(host: string) {
    super(
      `RestateQueue: the worker would listen at ${host} and answer whoever reaches it. ` +
        'Pass identityKeys, the public keys that Restate writes to its log at its start; or listen at 127.0.0.1; or, in a network ' +
        'that lets only Restate reach the worker, pass dangerouslyAllowUnauthenticatedRemote: true.',
    );
  }
}
