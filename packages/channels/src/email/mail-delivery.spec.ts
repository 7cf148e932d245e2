import { createHmac } from 'node:crypto';

import { hmac } from '../signatures.js';
import { mailgunMail, rawMail } from './mail-delivery.js';

const NOW = 1_700_000_000;
const KEY = 'key-3ax6xnjp29jd6fds4gc373sgvjxteol0';
const MIME = 'From: Ada <ada@example.com>\r\nSubject: Grüße\r\n\r\nHi';

/** A request in the form of Mailgun's documentation of routes. */
function ofMailgun(
  body: FormData | URLSearchParams,
  {
    key = KEY,
    timestamp = String(NOW),
    mime = MIME,
  }: { key?: string; timestamp?: string; mime?: string } = {},
): Request {
  const token = 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0';
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  const fields = { timestamp, token, signature, recipient: 'desk@shop.example', 'body-mime': mime };
  for (const [name, value] of Object.entries(fields)) if (value !== '') body.set(name, value);
  return new Request('http://localhost/', { method: 'POST', body });
}

async function deliver(request: Request): Promise<string> {
  const body = new Uint8Array(await request.arrayBuffer());
  return Buffer.from(await mailgunMail(KEY)({ headers: request.headers, body }, NOW)).toString();
}

describe('mailgunMail', () => {
  it('reads the mail of a signed form, in both encodings', async () => {
    expect(await deliver(ofMailgun(new FormData()))).toBe(MIME);
    expect(await deliver(ofMailgun(new URLSearchParams()))).toBe(MIME);
  });

  it.each([
    ['another key', ofMailgun(new FormData(), { key: 'key-of-somebody-else' }), 401],
    ['an old signature', ofMailgun(new FormData(), { timestamp: String(NOW - 301) }), 401],
    [
      'a form without a signature',
      new Request('http://localhost/', { method: 'POST', body: new FormData() }),
      401,
    ],
    ['a route without mime', ofMailgun(new FormData(), { mime: '' }), 400],
    ['a body that is no form', new Request('http://localhost/', { method: 'POST', body: 'x' }), 400],
  ])('refuses %s', async (_what, request, status) => {
    await expect(deliver(request)).rejects.toMatchObject({ code: 'DELIVERY_REFUSED', status });
  });

  it('is refused without a key', () => {
    expect(() => mailgunMail('')).toThrow(/signingKey/);
  });
});

describe('rawMail', () => {
  it('checks the bytes of the mail', async () => {
    const delivery = rawMail(hmac({ secret: 'a secret', header: 'x-signature' }));
    const body = Buffer.from(MIME);
    const signed = (text: string) =>
      new Headers({ 'x-signature': createHmac('sha256', 'a secret').update(text).digest('hex') });

    expect(await delivery({ headers: signed(MIME), body }, NOW)).toBe(body);
    expect(() => delivery({ headers: signed('another'), body }, NOW)).toThrow(/signature is not valid/);
  });

  it('is refused without a check', () => {
    expect(() => rawMail(undefined as never)).toThrow(/verify/);
  });
});
