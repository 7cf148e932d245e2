import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import {
  checkOptions,
  oneOf,
  type OptionRules,
  POSITIVE,
  required,
  rule,
  secret,
  TEXT,
} from '@adorn/core/backend';

import type { RawRequest } from './endpoint.js';
import { DeliveryRefusedError } from './errors.js';

/**
 * Checks who sent a request, by the bytes of its body, and returns the id of the delivery: the same if it is sent again, and nothing
 * that anybody else could have written.
 *
 * @param now in seconds since 1970
 * @throws {DeliveryRefusedError}
 */
export type DeliveryCheck = (request: RawRequest, now: number) => string;

/** The options of `standardWebhooks`. */
export interface StandardWebhooksOptions {
  /** How old a delivery may be, and how far its clock may be ahead, in seconds. Default: 300. */
  readonly tolerance?: number;
}

const TOLERANCE_S = 300;

/**
 * The signature of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. The id is signed, and is that of the
 * delivery.
 *
 * @param secrets `whsec_` and base64; several while a secret is replaced
 * @throws {AdornError} `OPTION_INVALID` for a secret that is none
 */
export function standardWebhooks(
  secrets: string | readonly string[],
  options: StandardWebhooksOptions = {},
): DeliveryCheck {
  const what = 'standardWebhooks';
  checkOptions(what, options, { tolerance: POSITIVE });
  const listed = [secrets].flat();
  // An error does not show a secret.
  checkOptions(
    what,
    { secrets: listed },
    {
      secrets: secret(
        rule(
          () => listed.length > 0 && listed.every(isSecret),
          'Pass whsec_ and base64 of 16 random bytes or more.',
        ),
      ),
    },
  );
  const keys = listed.map((one) => Buffer.from(one.slice('whsec_'.length), 'base64'));
  const { tolerance = TOLERANCE_S } = options;
  return ({ headers, body }, now) => {
    const id = headerOf(headers, 'webhook-id');
    const time = freshTime(headerOf(headers, 'webhook-timestamp'), { now, tolerance });
    const given = headerOf(headers, 'webhook-signature')
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => one.slice(3));
    const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
    const expected = keys.map((key) => createHmac('sha256', key).update(signed).digest('base64'));
    if (!given.some((one) => expected.some((other) => isSame(one, other))))
      throw new DeliveryRefusedError('its signature is not valid');
    return id;
  };
}

function isSecret(value: unknown): boolean {
  if (typeof value !== 'string' || !/^whsec_[A-Za-z0-9+/]+=*$/.test(value)) return false;
  return Buffer.from(value.slice('whsec_'.length), 'base64').byteLength >= 16;
}

/** The options of `hmac`. */
export interface HmacOptions {
  readonly secret: string;
  /** The header with the signature, such as `x-hub-signature-256`. */
  readonly header: string;
  /** What stands before the signature, such as `sha256=`. Default: nothing. */
  readonly prefix?: string;
  /** Default: `sha256`. */
  readonly algorithm?: 'sha1' | 'sha256' | 'sha512';
  /** Default: `hex`. */
  readonly encoding?: 'hex' | 'base64';
}

/** A secret with which something is signed. An error does not show it. */
export const SIGNING_SECRET = secret(
  rule((value) => typeof value === 'string' && value.length >= 8, 'Pass a text of at least 8 characters.'),
);

const HMAC: OptionRules<HmacOptions> = {
  secret: required(SIGNING_SECRET),
  header: required(TEXT),
  prefix: TEXT,
  algorithm: oneOf('sha1', 'sha256', 'sha512'),
  encoding: oneOf('hex', 'base64'),
};

/**
 * A keyed digest of the body in a header, as GitHub, Shopify and many others send it. Headers besides are not signed, so the id of a
 * delivery is the digest of its body: two deliveries with the same body are one.
 *
 * @throws {AdornError} `OPTION_INVALID`
 */
export function hmac(options: HmacOptions): DeliveryCheck {
  checkOptions('hmac', options, HMAC);
  const { secret: key, header, prefix = '', algorithm = 'sha256', encoding = 'hex' } = options;
  return ({ headers, body }) => {
    const given = headerOf(headers, header);
    const expected = prefix + createHmac(algorithm, key).update(body).digest(encoding);
    if (!isSame(given, expected)) throw new DeliveryRefusedError('its signature is not valid');
    return hash('sha256', body, 'base64url');
  };
}

/** The signature of Slack, version 0: over the time and the bytes of the body. @throws {DeliveryRefusedError} */
export function checkSlackSignature({ headers, body }: RawRequest, key: string, now: number): void {
  const time = freshTime(headerOf(headers, 'x-slack-request-timestamp'), { now, tolerance: TOLERANCE_S });
  const signed = Buffer.concat([Buffer.from(`v0:${time}:`), body]);
  const expected = `v0=${createHmac('sha256', key).update(signed).digest('hex')}`;
  if (!isSame(headerOf(headers, 'x-slack-signature'), expected))
    throw new DeliveryRefusedError('its signature is not valid');
}

function headerOf(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value === '') throw new DeliveryRefusedError(`it has no header ${name}`);
  return value;
}

/** A recorded request that is sent again later is refused. */
export function freshTime(
  text: string,
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): string {
  const isFresh = /^\d{1,12}$/.test(text) && Math.abs(now - Number(text)) <= tolerance;
  if (!isFresh) throw new DeliveryRefusedError('its timestamp is too old, or no time');
  return text;
}

/** Takes the same time for every signature of a length. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
