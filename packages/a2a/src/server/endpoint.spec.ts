import { defineAgent } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { type A2aHandler, a2aHandler } from './a2a-handler.js';
import type { A2aHandlerOptions } from './serve-options.js';

const URL_OF_HANDLER = 'https://agents.example.com/a2a';
const JSON_TYPE = { 'content-type': 'application/json' };
const ADA = { ...JSON_TYPE, authorization: 'ada' };
const open: A2aHandler[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe('the endpoint of agents', () => {
  it.each<[string, string, RequestInit, number, string, Record<string, string>?]>([
    ['another host', '', { headers: { ...ADA, host: 'evil.example' } }, 403, 'Its Host is not allowed.'],
    ['another path', '/../other', { headers: ADA }, 404, 'There is nothing here.'],
    ['a path below that is none', '/nothing', { headers: ADA }, 404, 'There is nothing here.'],
    [
      'a path of HTTP+JSON that is none',
      '/rest/nothing',
      { headers: ADA, body: '{}' },
      404,
      'There is nothing here.',
    ],
    ['a card that is posted', '/.well-known/agent-card.json', { headers: ADA }, 405, 'Use GET.'],
    ['a method that is read', '', { method: 'GET', headers: ADA }, 405, 'Use POST.'],
    [
      'a form',
      '',
      { headers: { authorization: 'ada', 'content-type': 'text/plain' } },
      415,
      'Its content type is not application/json.',
    ],
    [
      'a type that only begins like JSON',
      '',
      { headers: { ...ADA, 'content-type': 'application/jsonp' } },
      415,
      'Its content type is not application/json.',
    ],
    [
      'no credential',
      '',
      { headers: JSON_TYPE },
      401,
      'The request has no valid credential.',
      { 'www-authenticate': 'Bearer' },
    ],
    [
      'an empty principal',
      '',
      { headers: { ...JSON_TYPE, authorization: 'nobody' } },
      401,
      'The request has no valid credential.',
    ],
    ['a body above the limit', '', { headers: ADA, body: ' '.repeat(2_001) }, 413, 'The body is too large.'],
  ])('refuses %s', async (_, path, request, status, message, headers = {}) => {
    const { send } = await serving();

    const response = await send(path, request);

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } });
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
  });

  it.each([
    ['{', -32_700, 'The body is no JSON.'],
    ['[]', -32_600, 'The body is no JSON-RPC request.'],
    ['7', -32_600, 'The body is no JSON-RPC request.'],
    ['null', -32_600, 'The body is no JSON-RPC request.'],
  ])('answers the body %s with a fault of JSON-RPC', async (body, code, message) => {
    const { send } = await serving();

    for (const path of ['', '/', '/jsonrpc']) {
      const response = await send(path, { headers: ADA, body });
      expect([response.status, await response.json()]).toEqual([
        200,
        { jsonrpc: '2.0', id: null, error: { code, message } },
      ]);
    }
  });

  it('takes a body up to the limit, and of each type of JSON', async () => {
    const { send } = await serving();
    const body = JSON.stringify(messageOf('m1')).padEnd(2_000);

    for (const type of ['application/json', 'application/a2a+json', 'Application/JSON; charset=utf-8']) {
      const headers = { ...ADA, 'content-type': type, 'a2a-version': '1.0' };
      expect(await (await send('', { headers, body })).json()).toMatchObject({
        result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
      });
    }
  });

  it('speaks the revisions 1.0 and 0.3, the latter where none is named, and no other', async () => {
    const { send } = await serving();
    const answerTo = async (version: string | undefined, method: string): Promise<unknown> => {
      const headers = version === undefined ? ADA : { ...ADA, 'a2a-version': version };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method, params: { id: 'none' } });
      return (await send('', { headers, body })).json();
    };
    const notFound = { id: 5, error: { code: -32_001 } };

    expect(await answerTo('1.0', 'GetTask')).toMatchObject(notFound);
    expect(await answerTo('1.7', 'GetTask')).toMatchObject(notFound);
    expect(await answerTo('0.3', 'tasks/get')).toMatchObject(notFound);
    expect(await answerTo('0.3.0', 'tasks/get')).toMatchObject(notFound);
    expect(await answerTo(undefined, 'tasks/get')).toMatchObject(notFound);
    for (const version of ['2.0', '0.2', '10', ''])
      expect(await answerTo(version, 'GetTask')).toEqual({
        ...{ jsonrpc: '2.0', id: null },
        error: { code: -32_009, message: `The revision ${version} is not spoken here: 0.3 and 1.0 are.` },
      });
  });

  it('shows the card of each revision without a credential, and lets it be kept', async () => {
    const { send } = await serving();
    const revisions: Record<string, string>[] = [{}, { 'a2a-version': '0.3' }, { 'a2a-version': '1.0' }];
    const cards = await Promise.all(
      revisions.map(async (headers) => {
        const response = await send('/.well-known/agent-card.json', { method: 'GET', headers });
        expect(response.headers.get('cache-control')).toBe('public, max-age=300');
        expect(response.headers.get('vary')?.toLowerCase()).toBe('a2a-version');
        return response.json() as Promise<Record<string, unknown>>;
      }),
    );

    expect(cards.map(({ protocolVersion }) => protocolVersion)).toEqual(['0.3.0', '0.3.0', undefined]);
    expect(cards.map(({ name }) => name)).toEqual(['desk', 'desk', 'desk']);
  });

  it('fails without a word about the cause, which is in the log', async () => {
    const lines: unknown[] = [];
    const fault = new Error('the key canary is not valid');
    const silent = (): void => undefined;
    const { send } = await serving({
      authenticate: () => Promise.reject(fault),
      logger: { ...{ debug: silent, info: silent, warn: silent }, error: (...line) => lines.push(line) },
    });

    const response = await send('', { headers: ADA, body: '{}' });

    expect([response.status, await response.json()]).toEqual([
      500,
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'The request failed.' } },
    ]);
    expect(lines).toEqual([['an A2A request failed', { error: fault }]]);
  });

  it.each<[string, Partial<A2aHandlerOptions>, Record<string, number>]>([
    ['its own', {}, { 'agents.example.com': 405, 'agents.example.com:8443': 405, localhost: 403 }],
    [
      'those that are named',
      { allowedHosts: ['inner.example'] },
      { 'inner.example': 405, 'agents.example.com': 403 },
    ],
    ['any', { allowedHosts: 'any' }, { 'inner.example': 405 }],
    [
      'loopback, for an address of this machine',
      { url: 'http://127.0.0.1:9/a2a' },
      { localhost: 405, '127.0.0.1:9': 405, 'agents.example.com': 403 },
    ],
  ])('answers at hosts: %s', async (_, options, hosts) => {
    const { send } = await serving(options);

    for (const [host, status] of Object.entries(hosts))
      expect([host, (await send('', { method: 'GET', headers: { host } })).status]).toEqual([host, status]);
  });
});

async function serving(options: Partial<A2aHandlerOptions> = {}) {
  const url = options.url ?? URL_OF_HANDLER;
  const model = new ScriptedModel(...Array.from({ length: 5 }, () => says('Hello.')));
  const handler = await a2aHandler(defineAgent({ name: 'desk', description: 'Answers.', model }), {
    url,
    authenticate: ({ headers }) => headers.get('authorization')?.replace('nobody', ''),
    limits: { bodyBytes: 2_000 },
    ...options,
  });
  open.push(handler);
  const send = (path: string, { method = 'POST', ...init }: RequestInit): Promise<Response> =>
    handler(new Request(new URL(url).href + path, { method, ...init }));
  return { send };
}

function messageOf(messageId: string): object {
  const message = { messageId, role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
  return { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
}
