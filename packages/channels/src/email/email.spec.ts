import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { callsTool, says, type ScriptedStep } from '@adorn/testing';

import { hmac } from '../signatures.js';
import { refunds, serveChannel } from '../support-desk.fixture.js';
import { authenticationResults } from './authentication-results.js';
import { email, type EmailOptions } from './email.js';
import { delivered, DELIVERY_SECRET, DESK, mailOf, MailServer, type Written } from './mail-server.fixture.js';
import { rawMail } from './mail-delivery.js';

const people: Readonly<Record<string, { id: string; roles: readonly string[] }>> = {
  'ada@example.com': { id: 'ada', roles: [] },
  'max@example.com': { id: 'max', roles: [] },
  'mia@shop.example': { id: 'mia', roles: ['manager'] },
};

const MIA = { from: 'Mia <mia@shop.example>', verified: 'dkim=pass header.d=shop.example' };
const ADA = 'email:ada@example.com';

const folder = mkdtempSync(join(tmpdir(), 'adorn-email-'));
const opened: (() => Promise<unknown>)[] = [];
let server: MailServer;
let count = 0;

beforeEach(async () => {
  server = await MailServer.open();
  refunds.length = 0;
});

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  await server[Symbol.asyncDispose]();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const OPTIONS = {
  address: DESK,
  delivery: rawMail(hmac({ secret: DELIVERY_SECRET, header: 'x-signature' })),
  sender: authenticationResults('mx.shop.example'),
  secret: 'a secret of our message ids',
  principal: ({ id }: { id: string }) => people[id],
};

async function open(
  steps: readonly ScriptedStep[],
  {
    file = join(folder, `${String(count++)}.db`),
    ...options
  }: Partial<EmailOptions> & { file?: string } = {},
) {
  const desk = email({ ...OPTIONS, smtp: server.url, ...options });
  const { runner, model, handler } = await serveChannel(desk, { steps, file });
  opened.push(
    () => runner.close(),
    () => handler.close(),
  );
  const send = (written: Written): Promise<Response> => handler(delivered(mailOf(written)));
  const sessions = async (userId = ADA) =>
    (await runner.sessions.listSessions({ appName: 'shop', userId })).map(({ id }) => id);
  return { runner, handler, model, send, sessions, file };
}

describe('e-mail', () => {
  it('answers a mail in its thread, which is a session of its sender, in the name of its sender', async () => {
    const { runner, send, model, sessions } = await open([says('It is on its way.')]);

    expect((await send({ text: 'Where is W1?' })).status).toBe(200);
    const [answer] = await server.untilMails(1);

    expect(answer).toMatchObject({
      to: ['ada@example.com'],
      from: DESK,
      subject: 'Re: My order',
      text: 'It is on its way.',
    });
    expect(answer?.references[0]).toBe('<1@example.com>');
    expect(answer?.headers).toContainEqual({ name: 'in-reply-to', value: '<1@example.com>' });
    expect(answer?.headers).toContainEqual({ name: 'auto-submitted', value: 'auto-replied' });
    expect(model.requests[0]?.contents[0]?.parts?.[0]?.text).toBe('Subject: My order\n\nWhere is W1?');
    const [sessionId = ''] = await sessions();
    const session = await runner.sessions.getSession({ appName: 'shop', userId: ADA, sessionId });
    expect(session?.events[0]?.customMetadata?.['adorn:requester']).toMatchObject({ id: 'ada' });
  });

  it('reads on in the thread, without what the mail quotes, also if only In-Reply-To names it', async () => {
    const { send, model, sessions } = await open([says('One.'), says('Two.'), says('Three.')]);
    await send({ text: 'First' });
    const [one] = await server.untilMails(1);

    await send({
      id: '<2@example.com>',
      answers: ['<1@example.com>', one?.id ?? ''],
      text: 'Second\n\nOn Mon, Nov 30, 2026 at 9:00 AM Desk <desk@shop.example> wrote:\n\n> One.\n',
    });
    const [, two] = await server.untilMails(2);
    await send({ id: '<3@example.com>', answers: [two?.id ?? ''], text: 'Third' });
    const [, , three] = await server.untilMails(3);

    expect(await sessions()).toHaveLength(1);
    expect(model.requests[2]?.contents.map(({ parts }) => parts?.[0]?.text)).toEqual([
      'Subject: My order\n\nFirst',
      'One.',
      'Second',
      'Two.',
      'Third',
    ]);
    expect(three?.references.slice(0, 2)).toEqual([two?.id, '<3@example.com>']);
  });

  it('finds the thread by the references if a mail service has replaced the id of an answer', async () => {
    const { send, sessions } = await open([says('One.'), says('Two.')]);
    await send({ text: 'First' });
    const [one] = await server.untilMails(1);

    const replaced = '<0100018b-1@eu-west-1.amazonses.example>';
    await send({ id: '<2@example.com>', answers: [...(one?.references ?? []), replaced], text: 'Second' });
    await server.untilMails(2);

    expect(await sessions()).toHaveLength(1);
  });

  it('joins two mails of a sender before the first answer, and not those of somebody who knows an id', async () => {
    const { send, sessions } = await open([says('One.'), says('Two.'), says('Three.')]);
    await send({ text: 'First' });
    await send({ id: '<2@example.com>', answers: ['<1@example.com>'], text: 'And W2?' });
    await send({
      from: 'max@example.com',
      id: '<3@example.com>',
      answers: ['<1@example.com>'],
      text: 'What did Ada ask?',
    });
    await server.untilMails(3);

    expect(await sessions()).toHaveLength(1);
    expect(await sessions('email:max@example.com')).toHaveLength(1);
  });

  it('takes a forged id of an answer for none', async () => {
    const { send, sessions } = await open([says('One.'), says('Two.')]);
    await send({ text: 'First' });
    const [one] = await server.untilMails(1);
    const [, content, signature] = /^<adorn\.([^.]+)\.([^@]+)@/.exec(one?.id ?? '') ?? [];
    const decoded = Buffer.from(content ?? '', 'base64url').toString();
    expect(decoded).toContain('ada@example.com');

    const forged = Buffer.from(decoded.replace('answer', 'question')).toString('base64url');
    await send({
      from: 'max@example.com',
      id: '<9@example.com>',
      answers: [`<adorn.${forged}.${signature ?? ''}@shop.example>`],
      text: 'approve',
    });
    await server.untilMails(2);

    expect(await sessions('email:max@example.com')).toHaveLength(1);
  });

  it('runs a mail once, however often it is delivered', async () => {
    const { send, model } = await open([says('Once.')]);

    const responses = await Promise.all([1, 2, 3].map(() => send({ text: 'Hello' })));
    await server.untilMails(1);
    responses.push(await send({ text: 'Hello' }));
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(model.requests).toHaveLength(1);
    expect(server.mails).toHaveLength(1);
  });

  it.each<[string, Partial<Written>]>([
    ['a sender whom the server has not verified', { verified: 'dkim=none; spf=softfail; dmarc=fail' }],
    ['a mail without a word of the server', { verified: '' }],
    [
      'what a mail says of itself',
      {
        verified: '',
        headers: ['Authentication-Results: mx.evil.example; dmarc=pass header.from=example.com'],
      },
    ],
    ['a verified sender who is nobody', { from: 'eve@example.com' }],
    ['two senders', { headers: ['From: Mia <mia@shop.example>'] }],
    ['an out-of-office note', { headers: ['Auto-Submitted: auto-replied'] }],
    ['a mailing list', { headers: ['List-Id: <news.example.com>'] }],
    ['a bounce', { headers: ['Return-Path: <>'] }],
    ['its own mail', { from: DESK, verified: 'dmarc=pass header.from=shop.example' }],
    ['a copy of what people write to each other', { to: 'max@example.com', cc: DESK }],
  ])('does not answer %s', async (_what, written) => {
    const { send, model, runner } = await open([], { principal: ({ id }) => people[id] });

    expect((await send({ text: 'Hello', ...written })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(model.requests).toHaveLength(0);
    expect(server.mails).toEqual([]);
    expect(await runner.sessions.listSessions({ appName: 'shop', userId: ADA })).toEqual([]);
  });

  it('asks by a mail, which only those answer who may, and once', async () => {
    const { runner, send, sessions } = await open([callsTool('refund', { order: 'W1' }), says('Refunded.')], {
      questionsTo: () => ['mia@shop.example'],
    });
    await send({ text: 'Refund W1.' });
    const [question] = await server.untilMails(1);
    expect(question).toMatchObject({ to: ['mia@shop.example'], subject: 'Re: My order' });
    expect(question?.text).toBe(
      'Refund it?\n\nrefund {\n "order": "W1"\n}\n\nAnswer the mail, and write APPROVE or REJECT in the first line.',
    );
    const answers = ['<1@example.com>', question?.id ?? ''];

    await send({ id: '<2@example.com>', answers, text: 'Approve' });
    const [, refusal] = await server.untilMails(2);
    expect(refusal).toMatchObject({ to: ['ada@example.com'], text: 'You may not answer this.' });
    await send({ ...MIA, id: '<3@shop.example>', answers, text: 'Who is that?' });
    const [, , help] = await server.untilMails(3);
    expect(help).toMatchObject({
      to: ['mia@shop.example'],
      text: 'This is no answer. Answer the mail, and write APPROVE or REJECT in the first line.',
    });
    await send({
      ...MIA,
      id: '<4@shop.example>',
      answers,
      text: 'Approve',
      verified: 'dkim=fail header.d=shop.example',
    });
    expect(refunds).toEqual([]);

    await send({ ...MIA, id: '<5@shop.example>', answers, text: 'Approve.\n\n> Refund it?' });
    const [, , , answer] = await server.untilMails(4);
    expect(answer).toMatchObject({ to: ['ada@example.com'], subject: 'Re: My order', text: 'Refunded.' });
    expect(answer?.references[0]).toBe('<1@example.com>');
    expect(refunds).toEqual(['W1']);
    const [sessionId = ''] = await sessions();
    const session = await runner.sessions.getSession({ appName: 'shop', userId: ADA, sessionId });
    expect(JSON.stringify(session?.events.map(({ functionResponses }) => functionResponses))).toContain(
      '"by":"mia"',
    );

    await send({ ...MIA, id: '<6@shop.example>', answers, text: 'Reject' });
    const mails = await server.untilMails(5);
    expect(mails[4]).toMatchObject({ to: ['mia@shop.example'], text: 'This was answered already.' });
  });

  it('asks once in however many processes, and takes an answer after a restart', async () => {
    const first = await open([callsTool('refund', { order: 'W1' })], {
      questionsTo: () => ['mia@shop.example'],
    });
    await open([], { file: first.file });
    await first.send({ text: 'Refund W1.' });
    const [question] = await server.untilMails(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.mails).toHaveLength(1);
    for (const close of opened.splice(0).reverse()) await close();

    const next = await open([says('Left.')], { file: first.file });
    await next.send({ ...MIA, id: '<2@shop.example>', answers: [question?.id ?? ''], text: 'REJECT' });
    const [, answer] = await server.untilMails(2);

    expect(answer).toMatchObject({ to: ['ada@example.com'], subject: 'Re: My order', text: 'Left.' });
    expect(answer?.references[0]).toBe('<1@example.com>');
    expect(refunds).toEqual([]);
  });

  it('sends a mail again that a server does not take yet, and gives up one that it refuses', async () => {
    server.script.push(451);
    const { send } = await open([says('Late.'), says('Never.')]);
    await send({ text: 'First' });
    expect((await server.untilMails(1)).map(({ text }) => text)).toEqual(['Late.']);
    expect(server.refused).toBe(1);

    server.script.push(550);
    await send({ id: '<2@example.com>', text: 'Second' });
    for (let tries = 0; server.refused < 2 && tries < 500; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.refused).toBe(2);
    expect(server.mails).toHaveLength(1);
  });

  it('refuses a delivery that is not signed, and a body that is no mail', async () => {
    const { handler } = await open([]);

    const forged = delivered(mailOf({ text: 'Hello' }), 'another secret');
    const empty = delivered('');

    expect((await handler(forged)).status).toBe(401);
    expect((await handler(empty)).status).toBe(400);
  });

  it('is refused with options that cannot be used, and shows no secret', () => {
    const options = { ...OPTIONS, smtp: 'smtp://user:hidden@localhost' };

    expect(() => email({ ...options, address: 'desk' })).toThrow(/Pass an address/);
    expect(() => email({ ...options, secret: 'short' })).toThrow(/secret .*at least 8 characters/);
    expect(() => email({ ...options, smpt: 'x' } as never)).toThrow(/Did you mean/);
    expect(() => email({ ...options, principal: undefined } as never)).toThrow(/principal is missing/);
    expect(() => email({ ...options, smtp: 7 } as never)).toThrow(/smtp/);
  });
});
