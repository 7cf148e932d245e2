import { createRunner } from '@adorn/core';
import { a2aHandler, fetchAgentCard, remoteAgent } from '@adorn/a2a';
import { callsTool, says, type ScriptedStep } from '@adorn/testing';

import { openDesk, Orders } from '../desk.fixture.js';
import { serve } from '../serve.js';
import type { ServeOptions } from '../server-options.js';

const TOKEN = 'a token of the developer';
const PEER = { authorization: 'Bearer partner' };
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  Orders.refunds.length = 0;
});

describe('an application for peers', () => {
  it('has its card at its path for everybody, and answers whom the server knows', async () => {
    const { url, desk } = await serving({ a2a: true }, says('Hello, peer.'));
    const card = await fetchAgentCard(desk);
    const strange = await fetch(desk, messageOf('m1'));
    const Remote = remoteAgent(card, { headers: { authorization: `Bearer ${TOKEN}` } });
    const runner = await createRunner(Remote);
    open.push(runner);

    expect(await runner.ask('Hi')).toBe('Hello, peer.');
    expect(card).toMatchObject({ name: 'desk' });
    expect(JSON.stringify(card)).toContain(`${url}/a2a/desk/rest`);
    expect(strange.status).toBe(401);
  });

  it.each(['/a2a/other', '/a2a/desk/run', '/a2a/desk%2f..', '/a2a/__proto__', '/a2a/%E0%A4%A'])(
    'is not at %s',
    async (path) => {
      const { url } = await serving({ a2a: true });

      const found = await fetch(url + path, messageOf('m1'));
      const card = await fetch(`${url}${path}/.well-known/agent-card.json`);

      expect([found.status, card.status]).toEqual([404, 404]);
    },
  );

  it('is not there without the option, and its path asks for a credential', async () => {
    const { desk } = await serving({});

    expect((await fetch(`${desk}/.well-known/agent-card.json`)).status).toBe(401);
  });

  it('refuses other hosts and pages of other origins', async () => {
    const { desk } = await serving({ a2a: true });

    const init = messageOf('m1', { origin: 'https://evil.example', authorization: `Bearer ${TOKEN}` });
    expect((await fetch(desk, init)).status).toBe(403);
  });

  it('may know peers by credentials of their own, which open no other route and approve nothing', async () => {
    const authenticate = ({ headers }: Request) =>
      headers.get('authorization') === PEER.authorization ? 'partner' : undefined;
    const { url, desk } = await serving(
      { a2a: (runner, place) => a2aHandler(runner, { ...place, authenticate }) },
      callsTool('refund', { orderId: 'A-17' }),
    );

    const paused = await answerOf(await fetch(desk, messageOf('m1', PEER)));
    const { id: taskId, contextId } = paused.result ?? { id: '', contextId: '' };
    const approval = [{ kind: 'data', data: { confirmed: true } }];
    const approved = await answerOf(await fetch(desk, messageOf('m2', PEER, { taskId, parts: approval })));
    const others = ['/list-apps', `/apps/desk/users/partner/sessions/${contextId}`, '/adorn/apps'];
    const statuses = await Promise.all(
      others.map(async (path) => (await fetch(url + path, { headers: PEER })).status),
    );

    expect(paused.result?.status.state).toBe('input-required');
    expect(approved.error?.message).toMatch(/approval of an operator/);
    expect(statuses).toEqual([401, 401, 401]);
    expect(Orders.refunds).toEqual([]);
  });

  it('is closed with the server, and fails to open with it', async () => {
    const failing = () => Promise.reject(new Error('it cannot be made'));

    await expect(serving({ a2a: failing })).rejects.toThrow('it cannot be made');
    await expect(serving({ a2a: 'yes' as never })).rejects.toThrow(/a2a is "yes"/);
    const { desk, server } = await serving({ a2a: true });
    await server.close();
    await expect(fetch(desk)).rejects.toThrow();
  });

  it('is below the base path', async () => {
    const { url } = await serving({ a2a: true, basePath: '/inner' });

    expect(await fetchAgentCard(`${url}/inner/a2a/desk`)).toMatchObject({ name: 'desk' });
  });
});

async function serving(options: ServeOptions, ...steps: ScriptedStep[]) {
  const runner = await openDesk(steps);
  open.push(runner);
  const server = await serve(runner, { port: 0, page: false, token: TOKEN, ...options });
  open.push(server);
  return { server, url: server.url, desk: `${server.url}/a2a/desk` };
}

interface Answer {
  readonly result?: {
    readonly id: string;
    readonly contextId: string;
    readonly status: { readonly state: string };
  };
  readonly error?: { readonly message: string };
}

async function answerOf(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

/** A message in revision 0.3. */
function messageOf(messageId: string, headers: Record<string, string> = {}, given: object = {}): RequestInit {
  const parts = [{ kind: 'text', text: 'Refund A-17' }];
  const message = { kind: 'message', role: 'user', messageId, parts, ...given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
  return { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
}
