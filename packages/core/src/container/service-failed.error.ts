import { AdornError } from '../errors/adorn.error.js';

/** The container refused a binding, or failed to make a service. */
export class ServiceFailedError extends AdornError {
  readonly code = 'SERVICE_FAILED';

  /** @param cause the container's error, whose words are quoted */
  constructor(className: string, cause: Error) {
    super(
      `The container failed for ${className}: ${cause.message.replace(/\s+/g, ' ').trim()} ` +
        'Correct the binding or the service that it names.',
      { cause },
    );
  }
}
