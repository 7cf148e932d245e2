import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  agent,
  Clock,
  ContainerModule,
  createRunner,
  LlmAgent,
  Model,
  type ModelResponse,
} from '@adorn/core';
import { type AdornHandler, adornHandler } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { ManualClock, says } from '@adorn/testing';

import { hmac, standardWebhooks } from './signatures.js';
import { trigger, type TriggerOptions } from './trigger.js';

const NOW = 1_614_265_330;
/** The example of the specification of Standard Webhooks. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EXAMPLE = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(NOW),
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const BODY = '{"test": 2432232314}';

class EchoModel extends Model {
  override readonly name = 'echo';

  override async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    yield await Promise.resolve(says('done'));
  }
}

/** Answers. */
@agent({})
class Desk extends LlmAgent {}

const folder = mkdtempSync(join(tmpdir(), 'adorn-triggers-'));
const opened: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

let count = 0;

async function open(options: Partial<TriggerOptions> = {}, file = join(folder, `${String(count++)}.db`)) {
  const clock = new ManualClock(NOW);
  const clocks = new ContainerModule(({ bind }) => {
    bind(Clock).toConstantValue(clock);
  });
  const runner = await createRunner(Desk, {
    appName: 'shop',
    model: new EchoModel(),
    modules: [sqlStorage(file), clocks],
  });
  opened.push(runner);
  const endpoint = trigger('/hooks/shop', {
    verify: standardWebhooks(SECRET),
    to: ({ body }) => ({ userId: 'ada', message: `Received ${JSON.stringify(body)}` }),
    ...options,
  });
  const handler = await adornHandler(runner, { authenticate: () => 'ada', endpoints: [endpoint] });
  opened.push(handler);
  return { runner, clock, handler, file };
}

function post(handler: AdornHandler, headers: Record<string, string>, body = BODY): Promise<Response> {
  return handler(new Request('http://localhost/hooks/shop', { method: 'POST', body, headers }));
}

function signed(id: string, body: string, time = NOW): Record<string, string> {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${id}.${String(time)}.${body}`)
    .digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${signature}` };
}

/** The messages and answers in the sessions of Ada, each with the session. */
async function said({ runner }: Pick<Awaited<ReturnType<typeof open>>, 'runner'>): Promise<string[]> {
  const texts: string[] = [];
  for (const { id: sessionId } of await runner.sessions.listSessions({ appName: 'shop', userId: 'ada' })) {
    const session = await runner.sessions.getSession({ appName: 'shop', userId: 'ada', sessionId });
    for (const { author, text } of session?.events ?? []) texts.push(`${sessionId} ${author}: ${text}`);
  }
  return texts.sort();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('It has not come to hold within five seconds.');
}

describe('trigger', () => {
  it('answers the example of Standard Webhooks with 202, and runs its message', async () => {
    const shop = await open();

    const response = await post(shop.handler, EXAMPLE);

    expect(response.status).toBe(202);
    const id = `/hooks/shop@${EXAMPLE['webhook-id']}`;
    expect(await response.json()).toEqual({ invocationId: id });
    await until(async () => (await said(shop)).length === 2);
    expect(await said(shop)).toEqual([`${id} desk: done`, `${id} user: Received {"test":2432232314}`]);
    const session = await shop.runner.sessions.getSession({ appName: 'shop', userId: 'ada', sessionId: id });
    expect(session?.events[0]?.customMetadata).toMatchObject({
      'adorn:requester': { id: 'trigger:/hooks/shop', actsFor: 'ada' },
      'adorn:sentAs': id,
    });
  });

  it('runs a delivery once, however often it comes, also at the same time and to another process', async () => {
    const shop = await open();
    const other = await open({}, shop.file);

    const responses = await Promise.all(
      [1, 2, 3, 4].map((n) => post((n % 2 ? shop : other).handler, EXAMPLE)),
    );
    await until(async () => (await said(shop)).length === 2);
    responses.push(await post(shop.handler, EXAMPLE), await post(other.handler, EXAMPLE));
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
    expect(await said(shop)).toHaveLength(2);
  });

  it('runs what was accepted, if the process dies behind the answer', async () => {
    const dying = await open();
    // It does not get to begin the run.
    const never = new Promise<never>(() => undefined);
    dying.runner.sessions.appendEvent = () => never;
    expect((await post(dying.handler, EXAMPLE)).status).toBe(202);
    opened.splice(0);

    const next = await open({}, dying.file);
    await next.runner.recover();

    expect(await said(next)).toHaveLength(2);
  });

  it('takes deliveries in whatever order they come, each once', async () => {
    const shop = await open({
      to: ({ body }) => ({ userId: 'ada', sessionId: 'paid', message: String(body) }),
    });

    for (const id of ['3', '1', '2', '1'])
      expect((await post(shop.handler, signed(id, id), id)).status).toBe(202);
    await until(async () => (await said(shop)).length === 6);

    const session = await shop.runner.sessions.getSession({
      appName: 'shop',
      userId: 'ada',
      sessionId: 'paid',
    });
    const messages = session?.events.filter(({ author }) => author === 'user').map(({ text }) => text);
    expect(messages).toEqual(['3', '1', '2']);
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['another body', EXAMPLE, '{"test": 2432232315}', 401],
    ['another byte that means the same', EXAMPLE, '{"test":2432232314}', 401],
    ['another id', { ...EXAMPLE, 'webhook-id': 'msg_other' }, BODY, 401],
    ['another time', { ...EXAMPLE, 'webhook-timestamp': String(NOW + 1) }, BODY, 401],
    ['a time that is none', { ...EXAMPLE, 'webhook-timestamp': 'now' }, BODY, 401],
    ['no signature', { ...EXAMPLE, 'webhook-signature': '' }, BODY, 401],
    [
      'a signature of another version',
      { ...EXAMPLE, 'webhook-signature': EXAMPLE['webhook-signature'].replace('v1', 'v2') },
      BODY,
      401,
    ],
    ['a recorded delivery of six minutes ago', signed('old', BODY, NOW - 360), BODY, 401],
    ['a delivery of the future', signed('new', BODY, NOW + 360), BODY, 401],
    ['a body that is not JSON', signed('text', 'paid'), 'paid', 400],
    ['bytes that are no text', signed('bytes', '\uD800'), '\uD800', 400],
    ['an id of 300 characters', signed('x'.repeat(300), BODY), BODY, 400],
  ])('refuses %s, and stores nothing', async (_what, headers, body, status) => {
    const shop = await open();

    const response = await post(shop.handler, headers, body);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code: 'DELIVERY_REFUSED' });
    expect(await said(shop)).toEqual([]);
  });

  it('takes one of several signatures, by the old or the new secret', async () => {
    const old = `whsec_${Buffer.from('an old secret of this shop').toString('base64')}`;
    const shop = await open({ verify: standardWebhooks([old, SECRET]) });

    const headers = { ...EXAMPLE, 'webhook-signature': `v1,AAAA v2,x ${EXAMPLE['webhook-signature']}` };

    expect((await post(shop.handler, headers)).status).toBe(202);
  });

  it('knows a delivery with a keyed digest by its body, whatever its headers say', async () => {
    // The example of GitHub's documentation.
    const key = "It's a Secret to Everybody";
    const verify = hmac({ secret: key, header: 'x-hub-signature-256', prefix: 'sha256=' });
    const shop = await open({
      verify,
      to: ({ headers }) => ({ userId: 'ada', message: headers.get('x-github-delivery') ?? '' }),
    });
    const body = '"Hello, World!"';
    const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

    for (const delivery of ['1', '2'])
      expect(
        (await post(shop.handler, { 'x-hub-signature-256': signature, 'x-github-delivery': delivery }, body))
          .status,
      ).toBe(202);
    await until(async () => (await said(shop)).length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(await said(shop)).toHaveLength(2);
    expect(createHmac('sha256', key).update('Hello, World!').digest('hex')).toBe(
      '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
    expect(
      (await post(shop.handler, { 'x-hub-signature-256': signature.replace('sha256=', '') }, body)).status,
    ).toBe(401);
  });

  it('begins nothing for a delivery of no interest, and lets a failed one be sent again', async () => {
    let calls = 0;
    const shop = await open({
      to: () => {
        if (++calls === 1) throw new Error('The shop does not answer.');
        return calls === 2 ? undefined : { userId: 'ada', message: 'Paid.' };
      },
    });

    const statuses = [];
    for (let times = 0; times < 3; times++) statuses.push((await post(shop.handler, EXAMPLE)).status);

    expect(statuses).toEqual([500, 204, 202]);
  });

  it('answers only its path, by POST, and leaves the others to authenticate', async () => {
    const shop = await open();

    const responses = await Promise.all([
      shop.handler(new Request('http://localhost/hooks/shop')),
      shop.handler(
        new Request('http://localhost/hooks/shop/more', { method: 'POST', body: BODY, headers: EXAMPLE }),
      ),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([404, 415]);
  });

  it('is refused with options that cannot be used', async () => {
    const to = (): undefined => undefined;
    expect(() => trigger('/x', { to } as unknown as TriggerOptions)).toThrow(/trigger: verify is missing/);
    expect(() => standardWebhooks('secret')).toThrow(/secrets is a list|secrets is an array/);
    expect(() => standardWebhooks([])).toThrow(/standardWebhooks: secrets is .*\. Pass whsec_/);
    expect(() => hmac({ secret: 'x', header: 'y' })).toThrow(/secret is a text\. Pass a text of at least 8/);
    expect(() => hmac({ secret: 'a long one', headers: 'y' } as never)).toThrow(/header/);
    const runner = await createRunner(Desk, { model: new EchoModel() });
    opened.push(runner);
    const one = trigger('/hooks/shop', { verify: standardWebhooks(SECRET), to });
    const authenticate = (): string => 'ada';
    await expect(adornHandler(runner, { authenticate, endpoints: [one, one] })).rejects.toThrow(
      /two endpoints have the path "\/hooks\/shop"/,
    );
    await expect(
      adornHandler(runner, { authenticate, endpoints: [{ ...one, app: 'other' }] }),
    ).rejects.toThrow(/"other", which is not served/);
    await expect(
      adornHandler(runner, { authenticate, endpoints: [{ ...one, path: 'hooks' }] }),
    ).rejects.toMatchObject({ code: 'SERVER_OPTION_INVALID' });
  });
});
