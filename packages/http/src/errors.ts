import { AdornError } from '@adorn/core';

/** A URL or the address that its host resolves to may not be requested. Nothing was sent to it. */
export class AddressBlockedError extends AdornError {
  readonly code = 'HTTP_ADDRESS_BLOCKED';

  constructor(fault: string, cure: string) {
    super(`The request was blocked: ${fault}. ${cure}`);
  }
}

/** Why a request failed: see {@link HttpRequestError}. */
export type HttpFailure = 'unreachable' | 'timeout' | 'tooLarge' | 'redirects' | 'invalid';

/** A server could not be reached, or answered in a way that the limits do not allow. */
export class HttpRequestError extends AdornError {
  readonly code = 'HTTP_REQUEST_FAILED';

  /**
   * @param reason `unreachable`: no connection, or it broke; `timeout`; `tooLarge`: the body exceeds `maxBytes`;
   *   `redirects`: too many, or one that cannot be followed; `invalid`: the request itself cannot be sent
   * @param host the host and port, for the message
   */
  constructor(
    readonly reason: HttpFailure,
    host: string,
    fault: string,
    options?: ErrorOptions,
  ) {
    super(`The request to ${host} failed: ${fault}.`, options);
  }
}

/** An option of `guardedFetch` does not exist or has an invalid value. */
export class HttpOptionInvalidError extends AdornError {
  readonly code = 'HTTP_OPTION_INVALID';

  constructor(fault: string, cure: string) {
    super(`guardedFetch: ${fault}. ${cure}`);
  }
}
