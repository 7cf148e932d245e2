import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import { readMail, type ReceivedMail } from './received-mail.js';

/** A mail that a server has got. */
export interface SentMail extends ReceivedMail {
  readonly to: readonly string[];
}

/** A mail server on a local port. It answers with what is in `script` first, and then that all is well. */
export class MailServer implements AsyncDisposable {
  readonly mails: SentMail[] = [];
  /** Codes with which it refuses the next mails. */
  readonly script: number[] = [];
  refused = 0;
  private readonly server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onData: (stream, session, answer) => {
      void buffer(stream).then(async (bytes) => {
        const responseCode = this.script.shift();
        if (responseCode !== undefined) {
          this.refused++;
          answer(Object.assign(new Error('Not now.'), { responseCode }));
          return;
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        this.mails.push({ ...(await readMail(bytes)), to });
        answer();
      });
    },
  });

  static async open(): Promise<MailServer> {
    const mail = new MailServer();
    mail.server.listen(0, '127.0.0.1');
    await once(mail.server.server, 'listening');
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${String((this.server.server.address() as AddressInfo).port)}`;
  }

  /** The mails, once there are so many. */
  async untilMails(count: number): Promise<readonly SentMail[]> {
    for (let tries = 0; tries < 1_500; tries++) {
      if (this.mails.length >= count) return this.mails;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`There are not ${String(count)} mails: ${JSON.stringify(this.mails)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }
}

export const DESK = 'desk@shop.example';
export const DELIVERY_SECRET = 'a secret of the mail worker';

/** The fields of a mail that somebody writes. */
export interface Written {
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly subject?: string;
  readonly id?: string;
  readonly answers?: readonly string[];
  readonly text: string;
  /** What the receiving server says of the sender. Default: all is well. */
  readonly verified?: string;
  readonly headers?: readonly string[];
}

/** The bytes of a mail, as a server hands it over. */
export function mailOf({
  from = 'Ada <ada@example.com>',
  to = DESK,
  cc,
  subject = 'My order',
  id = '<1@example.com>',
  answers = [],
  text,
  verified = `dkim=pass header.i=@example.com header.s=s1; spf=pass smtp.mailfrom=ada@example.com; dmarc=pass (p=REJECT) header.from=example.com`,
  headers = [],
}: Written): string {
  const last = answers.at(-1);
  return [
    ...(verified === '' ? [] : [`Authentication-Results: mx.shop.example; ${verified}`]),
    'Received: from mail.example.com by mx.shop.example with ESMTPS; Mon, 30 Nov 2026 08:59:00 +0000',
    `From: ${from}`,
    `To: ${to}`,
    ...(cc === undefined ? [] : [`Cc: ${cc}`]),
    `Subject: ${subject}`,
    `Message-ID: ${id}`,
    ...(last === undefined ? [] : [`In-Reply-To: ${last}`, `References: ${answers.join('\r\n ')}`]),
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ].join('\r\n');
}

/** A mail as a worker of a mail service delivers it. */
export function delivered(mail: string, secret = DELIVERY_SECRET): Request {
  return new Request('http://localhost/channels/email', {
    method: 'POST',
    body: mail,
    headers: {
      'content-type': 'message/rfc822',
      'x-signature': createHmac('sha256', secret).update(mail).digest('hex'),
    },
  });
}
