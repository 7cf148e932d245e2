import { createHmac } from 'node:crypto';

import { checkOptions, FUNCTION, required } from '@adorn/core/backend';

import type { RawRequest } from '../endpoint.js';
import { DeliveryRefusedError } from '../errors.js';
import { type DeliveryCheck, freshTime, isSame, SIGNING_SECRET } from '../signatures.js';

/**
 * Checks who delivers a mail to the endpoint, and returns the bytes of the mail.
 *
 * @param now in seconds since 1970
 * @throws {DeliveryRefusedError}
 */
export type MailDelivery = (request: RawRequest, now: number) => Uint8Array | Promise<Uint8Array>;

/**
 * A request whose body is the mail as it came: from an e-mail worker, a Lambda function behind a mail service, or a server's pipe.
 *
 * @param verify who may deliver, such as `hmac({ secret, header })`
 * @throws {AdornError} `OPTION_INVALID`
 */
export function rawMail(verify: DeliveryCheck): MailDelivery {
  checkOptions('rawMail', { verify }, { verify: required(FUNCTION) });
  return (request, now) => {
    verify(request, now);
    return request.body;
  };
}

const TOLERANCE_S = 300;

/**
 * A request of a Mailgun route: `forward()` to an address that ends with `mime`, which delivers the mail as it came. Mailgun signs a time
 * and a token, and not the mail.
 *
 * @param signingKey the signing key of webhooks in Mailgun's settings
 * @throws {AdornError} `OPTION_INVALID`
 */
export function mailgunMail(signingKey: string): MailDelivery {
  checkOptions('mailgunMail', { signingKey }, { signingKey: required(SIGNING_SECRET) });
  return async ({ headers, body }, now) => {
    const contentType = headers.get('content-type') ?? '';
    const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } })
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- its memory is bounded: the server has read the body with its limit
      .formData()
      .catch(() => {
        throw new DeliveryRefusedError('its body is no form', 400);
      });
    const [timestamp, token, signature, mime] = ['timestamp', 'token', 'signature', 'body-mime'].map((name) =>
      textIn(form, name),
    );
    if (timestamp === undefined || token === undefined || signature === undefined)
      throw new DeliveryRefusedError('it has no signature');
    freshTime(timestamp, { now, tolerance: TOLERANCE_S });
    const expected = createHmac('sha256', signingKey)
      .update(timestamp + token)
      .digest('hex');
    if (!isSame(signature, expected)) throw new DeliveryRefusedError('its signature is not valid');
    if (mime === undefined)
      throw new DeliveryRefusedError('it has no body-mime: let the address of the route end with mime', 400);
    return Buffer.from(mime);
  };
}

function textIn(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? value : undefined;
}
