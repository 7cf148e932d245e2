import { isAutomatic, readMail, replyIn } from './received-mail.js';

function read(...lines: string[]) {
  return readMail(Buffer.from(lines.join('\r\n')));
}

async function fromOf(...headers: string[]): Promise<string | undefined> {
  return (await read(...headers.map((value) => `From: ${value}`), '', 'Hi')).from;
}

describe('readMail', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada <Ada.L@Example.COM>', 'Ada.L@example.com'],
    ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com'],
    ['=?UTF-8?B?w4RkYQ==?= <ada+x@example.com>', 'ada+x@example.com'],
    ['Ada (Sales) <ada@example.com>', 'ada@example.com'],
    ['ada@example.com (Ada)', 'ada@example.com'],
    ['"mia@shop.example" <ada@example.com>', 'ada@example.com'],
  ])('reads the sender of %s', async (header, address) => {
    expect(await fromOf(header)).toBe(address);
  });

  it.each([
    ['two addresses', 'ada@example.com, mia@shop.example'],
    ['two addresses in brackets', 'Ada <ada@example.com> <mia@shop.example>'],
    ['an address as a name without quotes', 'mia@shop.example <ada@example.com>'],
    ['a group', 'People: ada@example.com;'],
    ['a quoted local part', '"mia@shop.example "@evil.example'],
    ['a route', '<@evil.example:mia@shop.example>'],
    ['a comment within', 'mia@shop.example(<ada@example.com>'],
    ['an encoded address', '=?utf-8?q?=3Cmia=40shop.example=3E?='],
    ['nothing', ''],
  ])('finds no sender in %s', async (_what, header) => {
    expect(await fromOf(header)).toBeUndefined();
  });

  it('finds no sender in two headers, and in none', async () => {
    expect(await fromOf('ada@example.com', 'mia@shop.example')).toBeUndefined();
    expect((await read('Subject: x', '', 'Hi')).from).toBeUndefined();
  });

  it('reads a mail of two forms with a file, in the form of Apple Mail', async () => {
    const mail = await read(
      'From: Ada <ada@example.com>',
      'Content-Type: multipart/mixed; boundary="Apple-Mail=_1"',
      'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Mime-Version: 1.0 (Mac OS X Mail 16.0)',
      'Message-Id: <9A5D3F0B@example.com>',
      'References: <1@example.com>',
      ' <2@shop.example>',
      'In-Reply-To: <2@shop.example>',
      '',
      '--Apple-Mail=_1',
      'Content-Type: multipart/alternative; boundary="Apple-Mail=_2"',
      '',
      '--Apple-Mail=_2',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Caf=C3=A9',
      '--Apple-Mail=_2',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<b>Caf&eacute;</b>',
      '--Apple-Mail=_2--',
      '--Apple-Mail=_1',
      'Content-Disposition: attachment; filename=photo.png',
      'Content-Type: image/png; name="photo.png"',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0KGgo=',
      '--Apple-Mail=_1--',
    );

    expect(mail).toMatchObject({
      id: '<9A5D3F0B@example.com>',
      subject: 'Grüße',
      references: ['<1@example.com>', '<2@shop.example>'],
      text: 'Café',
      attachments: ['photo.png'],
    });
  });

  it('reads the text of a mail that has only HTML, without scripts and pictures', async () => {
    const { text } = await read(
      'From: ada@example.com',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<style>p { color: red }</style><p>Hello <a href="https://shop.example/w1">W1</a></p><img src="https://x.example/1.gif"><script>alert(1)</script>',
    );

    expect(text).toBe('Hello W1 [https://shop.example/w1]');
  });

  it('gives a mail without an id that of its bytes', async () => {
    const [one, again, other] = await Promise.all(
      ['a', 'a', 'b'].map((text) => read('From: a@b.example', '', text)),
    );

    expect(one?.id).toBe(again?.id);
    expect(one?.id).not.toBe(other?.id);
  });

  it.each([
    ['an empty body', Buffer.alloc(0)],
    ['no headers', Buffer.from('\r\n\r\nHi')],
    ['parts within parts without end', Buffer.from(nested(2_000))],
  ])('refuses %s', async (_what, bytes) => {
    await expect(readMail(bytes)).rejects.toMatchObject({ code: 'DELIVERY_REFUSED', status: 400 });
  });

  it('cuts a text that is too long, and reads hostile ones in a moment', async () => {
    for (const text of ['On '.repeat(200_000), '> '.repeat(200_000), `${' '.repeat(300_000)}x`]) {
      const mail = await read('From: a@b.example', '', text);

      expect(mail.text.length).toBeLessThanOrEqual(20_000);
      replyIn(mail.text);
    }
  });
});

function nested(depth: number): string {
  const parts = Array.from({ length: depth }, (_, n) => [
    `Content-Type: multipart/mixed; boundary=b${String(n)}`,
    '',
    `--b${String(n)}`,
  ]);
  return parts.flat().join('\r\n');
}

describe('replyIn', () => {
  it.each([
    [
      'Gmail',
      'Approve\n\nOn Mon, Nov 30, 2026 at 9:00 AM Desk <desk@shop.example> wrote:\n\n> Refund it?\n',
      'Approve',
    ],
    [
      'Gmail in German',
      'Ja.\n\nAm Mo., 30. Nov. 2026 um 09:00 Uhr schrieb Desk <desk@shop.example>:\n\n> Alt\n',
      'Ja.',
    ],
    ['Apple Mail', 'Yes\n\n> On 30. Nov 2026, at 09:00, Desk <desk@shop.example> wrote:\n> \n> Old\n', 'Yes'],
    [
      'Outlook',
      'Yes please\n\nFrom: Desk <desk@shop.example>\nSent: Monday, 30 November 2026 09:00\nTo: Ada\nSubject: Re: x\n\nOld',
      'Yes please',
    ],
    ['Outlook of before', 'Yes\n\n-----Original Message-----\nFrom: Desk\nSent: Monday\n\nOld', 'Yes'],
    ['a signature', 'Hello\n\n-- \nAda\nSales', 'Hello'],
    ['a telephone', 'Hello\n\nSent from my iPhone', 'Hello'],
    ['nothing of its own', '> Only a quote', '> Only a quote'],
  ])('reads what %s adds', (_what, text, reply) => {
    expect(replyIn(text)).toBe(reply);
  });
});

describe('isAutomatic', () => {
  it.each([
    ['Auto-Submitted: auto-generated', true],
    ['Auto-Submitted: no', false],
    ['Precedence: bulk', true],
    ['List-Id: <news.example.com>', true],
    ['Return-Path: <>', true],
    ['Content-Type: multipart/report; report-type=delivery-status', true],
    ['Return-Path: <ada@example.com>', false],
  ])('of %s is %s', async (header, expected) => {
    expect(isAutomatic(await read(header, 'From: ada@example.com', '', 'Hi'))).toBe(expected);
  });
});
