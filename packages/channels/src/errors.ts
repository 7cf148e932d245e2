import { AdornError } from '@adorn/core';

/** A request of an endpoint is not signed by who should have sent it, is too old, or cannot be read. Nothing was stored. */
export class DeliveryRefusedError extends AdornError {
  readonly code = 'DELIVERY_REFUSED';

  /**
   * @param fault what is wrong, without its period; without secrets
   * @param status of the response: 401 for a signature, 400 for a body
   */
  constructor(
    fault: string,
    readonly status: 400 | 401 = 401,
  ) {
    super(`The delivery was refused: ${fault}.`);
  }
}

/** A request of a platform's API has failed. */
export class ChannelFailedError extends AdornError {
  readonly code = 'CHANNEL_FAILED';

  /**
   * @param channel its name
   * @param fault what the platform answered, without its period
   * @param retryAfter milliseconds after which it may be tried again; undefined if that is of no use
   */
  constructor(
    channel: string,
    fault: string,
    readonly retryAfter: number | undefined,
  ) {
    super(`${channel} did not take a message: ${fault}.`);
  }
}
