import { authenticationResults } from './authentication-results.js';
import { readMail } from './received-mail.js';

/** Who has sent a mail, as `mx.shop.example` says. */
async function senderOf(from: string, ...headers: string[]): Promise<string | undefined> {
  const lines = [...headers.map((header) => `Authentication-Results: ${header}`), `From: ${from}`, '', 'Hi'];
  return authenticationResults('mx.shop.example')(await readMail(Buffer.from(lines.join('\r\n'))));
}

const ADA = 'Ada <ada@example.com>';

describe('authenticationResults', () => {
  it.each([
    [
      'DMARC of Google',
      'mx.shop.example;\r\n       dkim=pass header.i=@example.com header.s=google header.b=h0NUZJEY;\r\n' +
        '       spf=pass (google.com: domain of ada@example.com designates 209.85.167.74 as permitted sender) smtp.mailfrom=ada@example.com;\r\n' +
        '       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.com',
    ],
    [
      'DMARC of Amazon SES',
      'mx.shop.example; spf=pass (spfCheck: domain of example.com designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1; envelope-from=ada@example.com; helo=mail.example.com; dkim=pass header.i=@example.com; dmarc=pass header.from=example.com;',
    ],
    [
      'DMARC of Microsoft',
      'mx.shop.example 1; spf=fail smtp.mailfrom=x.example; dkim=none; dmarc=pass action=none header.from=EXAMPLE.com;compauth=pass reason=100',
    ],
    [
      'DKIM of the domain',
      'mx.shop.example; dkim=pass (2048-bit key) header.d=example.com header.i=@example.com',
    ],
    [
      'one valid signature of two',
      'mx.shop.example; dkim=fail header.d=example.com; dkim=pass header.d=example.com',
    ],
    ['SPF of the domain', 'mx.shop.example; spf=pass smtp.mailfrom=bounces@example.com'],
  ])('believes %s', async (_what, header) => {
    expect(await senderOf(ADA, header)).toBe('ada@example.com');
  });

  it('believes a signature of the domain above, and not of a top-level domain or one with a similar name', async () => {
    const from = 'ada@mail.example.com';

    expect(await senderOf(from, 'mx.shop.example; dkim=pass header.d=example.com')).toBe(from);
    expect(await senderOf(from, 'mx.shop.example; dkim=pass header.d=com')).toBeUndefined();
    expect(
      await senderOf('ada@badexample.com', 'mx.shop.example; dkim=pass header.d=example.com'),
    ).toBeUndefined();
  });

  it.each([
    ['no header'],
    ['another server', 'mx.evil.example; dmarc=pass header.from=example.com'],
    [
      'a failed DMARC, whatever else passed',
      'mx.shop.example; dkim=pass header.i=@srs.example; spf=pass smtp.mailfrom=ada@example.com; dmarc=fail (p=NONE dis=NONE) header.from=example.com',
    ],
    ['DMARC of another domain', 'mx.shop.example; dmarc=pass header.from=evil.example'],
    ['a signature of another domain', 'mx.shop.example; dkim=pass header.d=evil.example'],
    ['SPF of another domain', 'mx.shop.example; spf=pass smtp.mailfrom=eve@evil.example'],
    ['nothing', 'mx.shop.example; none'],
    ['a result in a comment', 'mx.shop.example; spf=fail (; dmarc=pass header.from=example.com)'],
    [
      'a result in a nested comment',
      'mx.shop.example; spf=fail (a (b) ; dmarc=pass header.from=example.com)',
    ],
    [
      'a result in a quoted address',
      'mx.shop.example; spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.com "@evil.example',
    ],
    ['a comment that does not end', 'mx.shop.example; dmarc=pass header.from=example.com; spf=fail (a'],
    [
      'a comment that closes too early',
      'mx.shop.example; spf=fail (a) ; dmarc=pass header.from=example.com )',
    ],
    [
      'two results of DMARC',
      'mx.shop.example; dmarc=fail header.from=example.com; dmarc=pass header.from=example.com',
    ],
    [
      'a property that is there twice',
      'mx.shop.example; spf=pass smtp.mailfrom=eve@evil.example smtp.mailfrom=ada@example.com',
    ],
    [
      'a second header of the server, which the mail brought',
      'mx.shop.example; dmarc=fail header.from=example.com',
      'mx.shop.example; dmarc=pass header.from=example.com',
    ],
    ['a header without an id', ''],
  ])('does not believe %s', async (_what, ...headers) => {
    expect(await senderOf(ADA, ...headers)).toBeUndefined();
  });

  it('is refused without an id', () => {
    expect(() => authenticationResults('')).toThrow(/authservId/);
  });
});
