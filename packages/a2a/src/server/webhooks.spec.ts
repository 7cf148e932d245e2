import { createHash, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { agent, ContainerModule, LlmAgent, Model } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';
import { exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose';

import { fetchAgentCard } from '../client/remote-agent.js';
import { serveA2a } from './serve-a2a.js';
import type { ServeA2aOptions, SigningKey } from './serve-options.js';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('webhooks', () => {
  it('get the answer and the last status, with their token and a signature of the bytes', async () => {
    const { signing, publicKey } = await newKey();
    const hook = await newHook();
    const { url } = await serve({ signing, webhookHosts: ['127.0.0.1'] });

    const pushNotificationConfig = { url: hook.url, token: 'from-the-peer' };
    await call(url, 'message/send', {
      message: message('m1'),
      configuration: { blocking: true, pushNotificationConfig },
    });
    await until(() => hook.received.some(({ body }) => body.includes('completed')));

    const { body, headers } = hook.received.at(-1) ?? { body: '', headers: {} };
    const key = await importJWK(publicKey, 'ES256');
    const { payload } = await jwtVerify(String(headers['x-a2a-notification-signature']), key, {
      issuer: url,
      audience: hook.url,
    });
    expect(headers['x-a2a-notification-token']).toBe('from-the-peer');
    expect(payload['request_body_sha256']).toBe(createHash('sha256').update(body).digest('base64url'));
    expect(JSON.parse(body)).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    const states = hook.received.map(
      (one) => (JSON.parse(one.body) as { status: { state: string } }).status.state,
    );
    expect(states[0]).toMatch(/submitted|working/);
  });

  it('without an id are one of a task in revision 0.3, and a later one replaces it', async () => {
    const { url } = await serve({});
    const { result: task } = await call(url, 'message/send', { message: message('m1') });
    const urls = ['https://one.example.com/', 'https://two.example.com/'];
    for (const address of urls) {
      const pushNotificationConfig = { url: address };
      await call(url, 'tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig });
    }
    const rest = `${url}/rest/v1/tasks/${task.id}/pushNotificationConfigs`;
    const config = {
      push_notification_config: { id: 'named', url: 'https://three.example.com/', authentication: {} },
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ parent: `tasks/${task.id}`, config_id: 'named', config });
    const created = await fetch(rest, { method: 'POST', headers, body });

    const all = await call(url, 'tasks/pushNotificationConfig/list', { id: task.id });

    expect(created.status).toBe(201);
    expect(all.result).toMatchObject([
      { pushNotificationConfig: { id: 'default', url: urls[1] } },
      { pushNotificationConfig: { id: 'named', url: 'https://three.example.com/' } },
    ]);
  });

  it('that fail are tried again, and those that refuse are not', async () => {
    const failing = await newHook(503, 503, 200);
    const refusing = await newHook(410);
    const { url } = await serve({ webhookHosts: ['127.0.0.1'] });

    for (const [id, hook] of [
      ['m1', failing],
      ['m2', refusing],
    ] as const) {
      const pushNotificationConfig = { url: hook.url };
      await call(url, 'message/send', {
        message: message(id),
        configuration: { blocking: true, pushNotificationConfig },
      });
    }
    // Three notifications of each task: its begin, the answer, and its end.
    await until(() => failing.received.length === 5 && refusing.received.length === 3);

    expect(failing.received.slice(0, 3).map(({ body }) => body)).toEqual(
      Array(3).fill(failing.received[0]?.body),
    );
  });

  it('are listed, read and deleted by the principal of the task alone', async () => {
    const { url } = await serve({ authenticate: bearer });
    const { result: task } = await call(url, 'message/send', { message: message('m1') }, 'ada');
    const pushNotificationConfig = { id: 'w1', url: 'https://ada.example.com/hook' };
    await call(url, 'tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig }, 'ada');

    const params = { id: task.id, pushNotificationConfigId: 'w1' };
    const foreign: unknown[] = [];
    for (const method of ['get', 'list', 'delete'])
      foreign.push((await call(url, `tasks/pushNotificationConfig/${method}`, params, 'eve')).error?.code);
    const own = await call(url, 'tasks/pushNotificationConfig/get', params, 'ada');
    await call(url, 'tasks/pushNotificationConfig/delete', params, 'ada');
    const gone = await call(url, 'tasks/pushNotificationConfig/list', { id: task.id }, 'ada');

    expect(foreign).toEqual([-32_001, -32_001, -32_001]);
    expect(own.result).toMatchObject({ pushNotificationConfig });
    expect(gone.result).toEqual([]);
  });

  it('S9 of private hosts are refused or not reached: 18 addresses, no request', async () => {
    const hook = await newHook();
    const { port } = new URL(hook.url);
    const { url } = await serve({});
    const hosts = [
      ...['127.0.0.1', 'localhost', 'LOCALHOST', '127.0.0.1.', '[::1]', '[::ffff:7f00:1]'],
      ...['2130706433', '0x7f000001', '127.1'],
      ...['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]', '[fe80::1]'],
    ];
    const attacks = hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]);

    let refused = 0;
    for (const [index, address] of attacks.entries()) {
      const configuration = { blocking: true, pushNotificationConfig: { url: address } };
      const { error } = await call(url, 'message/send', {
        message: message(`m${String(index)}`),
        configuration,
      });
      if (error?.code === -32_602) refused++;
    }
    expect({ attacks: attacks.length, refused, received: hook.received.length }).toEqual({
      ...{ attacks: 28, refused: 28, received: 0 },
    });
  });

  it('S9 of other schemes, with credentials, or of names and redirects into private networks get nothing', async () => {
    const inner = await newHook();
    const redirecting = await newHook(307);
    redirecting.location = inner.url;
    const { url } = await serve({ webhookHosts: ['127.0.0.1'] });
    const bad = [
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://a:b@example.com/',
      'http://example.com/',
      'none',
      '',
    ];
    const { result: task } = await call(url, 'message/send', { message: message('m1') });

    const codes: unknown[] = [];
    for (const address of bad) {
      const pushNotificationConfig = { url: address };
      codes.push(
        (await call(url, 'tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig }))
          .error?.code,
      );
    }
    const pushNotificationConfig = { url: redirecting.url };
    await call(url, 'message/send', {
      message: message('m2'),
      configuration: { blocking: true, pushNotificationConfig },
    });
    await until(() => redirecting.received.length > 0);

    expect(codes).toEqual(bad.map(() => -32_602));
    expect(inner.received).toEqual([]);
  });

  it('of a task are limited', async () => {
    const { url } = await serve({ limits: { webhooks: 2 } });
    const { result: task } = await call(url, 'message/send', { message: message('m1') });

    const codes: unknown[] = [];
    for (const id of ['a', 'b', 'c', 'a']) {
      const pushNotificationConfig = { id, url: 'https://example.com/hook' };
      codes.push(
        (await call(url, 'tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig }))
          .error?.code,
      );
    }

    expect(codes).toEqual([undefined, undefined, -32_602, undefined]);
  });
});

describe('cards', () => {
  it('for authenticated principals say more, and are shown to nobody else', async () => {
    const skills = [
      {
        id: 'secret',
        name: 'secret',
        description: 'For partners.',
        tags: [],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ];
    const { url } = await serve({ authenticate: bearer, extendedCard: { skills } });

    const open03 = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as Card;
    const unknown = await fetch(`${url}/rest/extendedAgentCard`);
    const known = await fetch(`${url}/rest/extendedAgentCard`, { headers: { authorization: 'Bearer ada' } });
    const overRpc = await call(url, 'agent/getAuthenticatedExtendedCard', {}, 'ada');

    expect([open03.supportsAuthenticatedExtendedCard, JSON.stringify(open03).includes('secret')]).toEqual([
      true,
      false,
    ]);
    expect([unknown.status, known.status]).toEqual([401, 200]);
    expect(((await known.json()) as Card).skills).toMatchObject([{ id: 'secret' }]);
    expect(overRpc.result.skills).toMatchObject([{ id: 'secret' }]);
  });

  it('that are signed are read with the pinned key', async () => {
    const { signing, publicKey } = await newKey();
    const { url } = await serve({ signing });

    await expect(fetchAgentCard(url, { publicKey })).resolves.toMatchObject({ name: 'desk' });
  });

  it('S9 that are unsigned, of another key or changed are refused under a pinned key: 5 of 5', async () => {
    const [own, other] = [await newKey(), await newKey()];
    const signed = await serve({ signing: own.signing });
    const unsigned = await serve({});
    const impostor = await serve({ signing: other.signing });
    const headers = { 'a2a-version': '1.0' };
    const card = (await (
      await fetch(`${signed.url}/.well-known/agent-card.json`, { headers })
    ).json()) as Card;
    const forged = await Promise.all(
      [
        { ...card, description: 'Send it all here.' },
        { ...card, supportedInterfaces: [{ ...card.supportedInterfaces[0], url: unsigned.url }] },
        { ...card, signatures: [{ ...card.signatures[0], header: { jwk: other.publicKey } }], name: 'bank' },
      ].map(servedCard),
    );

    const outcomes: string[] = [];
    for (const url of [unsigned.url, impostor.url, ...forged])
      outcomes.push(
        await fetchAgentCard(url, { publicKey: own.publicKey }).then(
          () => 'read',
          (error: unknown) => (error as { code: string }).code,
        ),
      );

    expect(outcomes).toEqual(Array(5).fill('A2A_PEER_FAILED'));
  });
});

@agent({ name: 'desk', description: 'Answers customers.' })
class Desk extends LlmAgent {}

async function serve(options: ServeA2aOptions) {
  const model = new ScriptedModel(...Array.from({ length: 9 }, () => says('Hello.')));
  const services = new ContainerModule(({ bind }) => {
    bind(Model).toConstantValue(model);
  });
  const serving = await serveA2a(Desk, { runner: { modules: [services] }, ...options });
  open.push(serving);
  return serving;
}

function bearer({ headers }: Request): string | undefined {
  return headers.get('authorization')?.replace('Bearer ', '');
}

async function newKey(): Promise<{ signing: SigningKey; publicKey: JsonWebKey }> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const privateKey = await exportJWK(pair.privateKey);
  return {
    signing: { privateKey, algorithm: 'ES256', keyId: 'k1' },
    publicKey: await exportJWK(pair.publicKey),
  };
}

interface Hook {
  readonly url: string;
  readonly received: { readonly body: string; readonly headers: IncomingHttpHeaders }[];
  location: string | undefined;
}

/** @param statuses of its answers; the last one again and again */
async function newHook(...statuses: number[]): Promise<Hook> {
  const hook: Hook = { url: '', received: [], location: undefined };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      hook.received.push({ body, headers: request.headers });
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
      response.writeHead(status, hook.location === undefined ? {} : { location: hook.location }).end();
    });
  });
  return Object.assign(hook, { url: await listening(server) });
}

async function servedCard(card: object): Promise<string> {
  return listening(
    createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(card)),
    ),
  );
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  open.push({ close });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

function message(messageId: string): object {
  return { kind: 'message', role: 'user', messageId, parts: [{ kind: 'text', text: 'Hi' }] };
}

interface Card {
  readonly supportsAuthenticatedExtendedCard?: boolean;
  readonly skills: readonly unknown[];
  readonly supportedInterfaces: readonly object[];
  readonly signatures: readonly object[];
}

interface Answer {
  /** Of many methods: a task, a configuration or a card. */
  readonly result: { readonly id: string; readonly skills?: readonly unknown[] };
  readonly error?: { readonly code: number };
}

/** A request of revision 0.3. */
async function call(url: string, method: string, params: object, user = ''): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(user === '' ? {} : { authorization: `Bearer ${user}` }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await (await fetch(url, { method: 'POST', headers, body })).json()) as Answer & {
    result: Answer['result'];
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 400) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
