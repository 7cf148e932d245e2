import { AdornError } from '../errors/adorn.error.js';

/** A service is bound more than once, so the container cannot choose. */
export class ServiceAmbiguousError extends AdornError {
  readonly code = 'SERVICE_AMBIGUOUS';

  constructor(className: string, service: string, options?: ErrorOptions) {
    super(
      `${className} asks for ${service}, and more than one binding of it applies. Bind it once, or replace the first ` +
        `binding: rebind(${service}).to(…).`,
      options,
    );
  }
}
