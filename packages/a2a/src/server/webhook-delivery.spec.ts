import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { StreamResponse, Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { exportJWK, generateKeyPair, jwtVerify } from 'jose';

import { type WebhookFields, Webhooks } from './webhooks.js';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('a webhook', () => {
  it.each<[string, string]>([
    ['none', 'The URL of the webhook cannot be read.'],
    ['https://a@example.com/', 'The URL of the webhook holds a credential.'],
    ['https://:b@example.com/', 'The URL of the webhook holds a credential.'],
    ['ftp://example.com/', 'The URL of the webhook is not https.'],
    ['http://example.com/', 'The URL of the webhook is not https.'],
    ['https://localhost/', 'The URL of the webhook is of a private host.'],
    ['http://127.0.0.2/', 'The URL of the webhook is not https.'],
  ])('is refused at %s', (url, fault) => {
    const { webhooks } = webhooksOf();

    expect(() => webhooks.add('k', configOf({ url }), '1.0')).toThrow(fault);
    expect(webhooks.has('k')).toBe(false);
  });

  it('of a host that is listed may be http, also with its port', () => {
    const { webhooks } = webhooksOf({ privateHosts: ['127.0.0.1', 'inner.example:8080'] });

    for (const url of ['http://127.0.0.1:9/', 'https://127.0.0.1/', 'http://inner.example:8080/'])
      expect(webhooks.add('k', configOf({ url }), '1.0').url).toBe(url);
    expect(() => webhooks.add('k', configOf({ url: 'http://inner.example:9/' }), '1.0')).toThrow('not https');
  });

  it('is one of its task, read by its id, replaced and deleted', () => {
    const { webhooks } = webhooksOf({ limit: 2 });
    const made = webhooks.add('k', configOf({ url: 'https://a.example/' }), '1.0');
    webhooks.add('k', configOf({ id: 'b', url: 'https://b.example/' }), '1.0');
    webhooks.add('k', configOf({ id: 'b', url: 'https://c.example/' }), '1.0');

    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(webhooks.list('k').map(({ url }) => url)).toEqual(['https://a.example/', 'https://c.example/']);
    expect(webhooks.get('k', made.id)).toBe(made);
    expect(() => webhooks.add('k', configOf({ id: 'd', url: 'https://d.example/' }), '1.0')).toThrow(
      'The task has 2 webhooks. Delete one.',
    );
    expect(() => webhooks.get('other', 'b')).toThrow('The webhook b was not found.');
    for (const id of ['b', made.id, 'none']) webhooks.delete('k', id);
    expect([webhooks.has('k'), webhooks.list('k')]).toEqual([false, []]);
  });

  it('has no id of its own in revision 0.3, so that there is one', () => {
    const { webhooks } = webhooksOf();
    for (const url of ['https://a.example/', 'https://b.example/'])
      expect(webhooks.add('k', configOf({ url }), '0.3.0').id).toBe('default');

    expect(webhooks.list('k').map(({ url }) => url)).toEqual(['https://b.example/']);
  });
});

describe('a notification', () => {
  it('is the update as its revision writes it, with the token and the credentials of the webhook', async () => {
    const hook = await hookThat();
    const { webhooks, warned } = webhooksOf();
    const authentication = { scheme: 'Bearer', credentials: 'c-1' };
    webhooks.add('k', configOf({ id: 'a', url: hook.url, token: 't-1', authentication }), '1.0');
    webhooks.add(
      'k',
      configOf({ id: 'b', url: hook.url, authentication: { scheme: '', credentials: '' } }),
      '0.3',
    );
    webhooks.add('other', configOf({ id: 'c', url: hook.url }), '1.0');

    webhooks.notify('k', UPDATE, TASK);
    webhooks.notify('nobody', UPDATE, TASK);
    await hook.has(2);

    const seen = hook.received.map(({ body, headers }) => [
      body,
      headers['content-type'],
      headers['x-a2a-notification-token'],
      headers.authorization,
      headers['x-a2a-notification-signature'],
    ]);
    expect(seen.sort()).toEqual([
      ['0.3 update of t1', 'application/json', undefined, undefined, undefined],
      ['1.0 update of t1', 'application/a2a+json', 't-1', 'Bearer c-1', undefined],
    ]);
    await settled();
    expect(warned).toEqual([]);
  });

  it('is signed: who sends which bytes to whom, for five minutes', async () => {
    const hook = await hookThat();
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const signing = { privateKey: await exportJWK(privateKey), algorithm: 'ES256', keyId: 'k-1' };
    const { webhooks } = webhooksOf({ signing: signing as unknown as WebhookFields['signing'] });
    webhooks.add('k', configOf({ url: hook.url }), '1.0');

    webhooks.notify('k', UPDATE, TASK);
    webhooks.notify('k', UPDATE, TASK);
    await hook.has(2);

    const tokens = hook.received.map(({ headers }) => String(headers['x-a2a-notification-signature']));
    const [first, second] = await Promise.all(tokens.map((token) => jwtVerify(token, publicKey)));
    expect(first?.protectedHeader).toEqual({ alg: 'ES256', kid: 'k-1', typ: 'JWT' });
    expect(first?.payload).toMatchObject({
      iss: 'https://agents.example.com',
      aud: hook.url,
      request_body_sha256: createHash('sha256').update('1.0 update of t1').digest('base64url'),
    });
    expect(Number(first?.payload.exp) - Number(first?.payload.iat)).toBe(300);
    expect(first?.payload.jti).not.toBe(second?.payload.jti);
  });

  it.each([
    [[200], 1, undefined],
    [[299], 1, undefined],
    [[500, 200], 2, undefined],
    [[408, 204], 2, undefined],
    [[429, 200], 2, undefined],
    [[0, 200], 2, undefined],
    [[300], 1, 'It answered with 300.'],
    [[400, 200], 1, 'It answered with 400.'],
    [[499, 200], 1, 'It answered with 499.'],
  ])('that is answered with %j is sent %i times: %s', async (statuses, times, fault) => {
    const hook = await hookThat(...statuses);
    const { webhooks, warned } = webhooksOf();
    webhooks.add('k', configOf({ url: hook.url }), '1.0');

    webhooks.notify('k', UPDATE, TASK);
    await hook.has(times);
    await settled();
    if (fault !== undefined) await until(() => warned.length > 0);

    expect(hook.received).toHaveLength(times);
    expect(warned).toEqual(
      fault === undefined
        ? []
        : [['an A2A webhook was not reached', { task: 't1', error: new Error(fault) }]],
    );
  });

  it('waits for the one before it, and ends with the server', async () => {
    const hook = await hookThat(500);
    const { webhooks, warned } = webhooksOf();
    webhooks.add('k', configOf({ url: hook.url }), '1.0');

    webhooks.notify('k', UPDATE, TASK);
    webhooks.notify('k', UPDATE, TASK);
    await hook.has(1);
    await webhooks.close();
    await until(() => warned.length > 1);

    expect([hook.received.length, warned.length]).toEqual([1, 2]);
  });
});

const UPDATE = {} as StreamResponse;
const TASK = { id: 't1' } as Task;

function webhooksOf(fields: Partial<WebhookFields> = {}) {
  const warned: unknown[][] = [];
  const silent = (): void => undefined;
  const serializer = (version: string, contentType: string) => ({
    serialize: (_update: unknown, { id }: Task) => ({ body: `${version} update of ${id}`, contentType }),
  });
  const serializers: unknown = {
    '1.0': serializer('1.0', 'application/a2a+json'),
    '0.3': serializer('0.3', 'application/json'),
  };
  const webhooks = new Webhooks({
    ...{ issuer: 'https://agents.example.com', privateHosts: ['127.0.0.1'], signing: undefined, limit: 10 },
    serializers: serializers as WebhookFields['serializers'],
    logger: { ...{ debug: silent, info: silent, error: silent }, warn: (...line) => warned.push(line) },
    ...fields,
  });
  open.push(webhooks);
  return { webhooks, warned };
}

function configOf(config: Partial<TaskPushNotificationConfig>): TaskPushNotificationConfig {
  return { tenant: '', taskId: 't1', id: '', url: '', token: '', authentication: undefined, ...config };
}

/** A server that answers with these statuses, and then with the last of them; 0 breaks the connection. */
async function hookThat(...statuses: number[]) {
  const received: { readonly body: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      const status = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
      if (status === 0) response.destroy();
      else response.writeHead(status).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const has = (count: number) => until(() => received.length >= count);
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`;
  return { received, url, has };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1_000) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What a response leads to has mostly happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
