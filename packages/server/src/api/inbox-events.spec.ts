import type { InboxChange } from '@adorn/core/backend';

import { createAdornClient } from '../client/index.js';
import { openDesk } from '../desk.fixture.js';
import { type AdornServer, serve } from '../serve.js';

function opened(server: AdornServer, user: string, maxReconnects = 10) {
  const client = createAdornClient(server.url, { headers: { 'x-user': user }, maxReconnects });
  const leaving = new AbortController();
  const changes = client.watchInbox({}, leaving);
  const next = async (): Promise<readonly unknown[]> => {
    const { value } = (await changes.next()) as { value: InboxChange | undefined };
    return [value?.kind, value?.request.tool, value?.request.args];
  };
  return { client, leaving, changes, next };
}

function authenticate({ headers }: Request): string | undefined {
  return headers.get('x-user') ?? undefined;
}

const ORDER = { orderId: '7' };

describe('the events of an inbox', () => {
  it('are each change of what the reader may answer, until the reader leaves', async () => {
    const runner = await openDesk([]);
    await using server = await serve(runner, { port: 0, page: false, authenticate });
    const ada = opened(server, 'ada');
    await runner.call({ tool: 'refund', args: ORDER, userId: 'bob', sessionId: 's0' });
    const waiting = ada.next();
    await runner.call({ tool: 'refund', args: ORDER, userId: 'ada', sessionId: 's1' });
    expect(await waiting).toEqual(['opened', 'refund', ORDER]);

    const [request] = (await ada.client.inbox()).requests;
    const closed = ada.next();
    await ada.client.sessionOf(request!).reject(request!);
    expect(await closed).toEqual(['closed', 'refund', ORDER]);

    const last = ada.changes.next();
    ada.leaving.abort();
    expect(await last).toEqual({ value: undefined, done: true });
    await runner.close();
  });

  it('go on after a break: what has changed meanwhile is told, and what was told is not repeated', async () => {
    const runner = await openDesk([]);
    const first = await serve(runner, { port: 0, page: false, authenticate });
    const port = Number(new URL(first.url).port);
    const ada = opened(first, 'ada');
    for (const sessionId of ['s1', 's2'])
      await runner.call({ tool: 'refund', args: { orderId: sessionId }, userId: 'ada', sessionId });
    const told = [await ada.next(), await ada.next()];
    expect(told.map(([kind]) => kind)).toEqual(['opened', 'opened']);

    const closed = ada.next();
    await first.close();
    const [request] = (await runner.inbox()).requests;
    await runner.reject(request!);
    await using server = await serve(runner, { port, page: false, authenticate });
    expect(await closed).toEqual(['closed', 'refund', request!.args]);

    const opens = ada.next();
    await runner.call({ tool: 'refund', args: ORDER, userId: 'ada', sessionId: 's3' });
    expect(await opens).toEqual(['opened', 'refund', ORDER]);
    ada.leaving.abort();
    expect(server.url).toBe(first.url);
    await runner.close();
  });

  it('are for nobody without a credential, and end with the error of a server that is away', async () => {
    const runner = await openDesk([]);
    const server = await serve(runner, { port: 0, page: false, authenticate });
    const nobody = createAdornClient(server.url, { app: 'desk' }).watchInbox();
    await expect(nobody.next()).rejects.toMatchObject({ status: 401 });

    const ada = opened(server, 'ada', 0);
    await ada.client.inbox();
    await server.close();
    await expect(ada.changes.next()).rejects.toMatchObject({ code: 'NETWORK' });
    await runner.close();
  });

  it('count as a stream of the user', async () => {
    const runner = await openDesk([]);
    const limits = { streams: 1 };
    await using server = await serve(runner, { port: 0, page: false, authenticate, limits });
    await runner.call({ tool: 'refund', args: ORDER, userId: 'ada', sessionId: 's1' });
    const ada = opened(server, 'ada');
    expect((await ada.next())[0]).toBe('opened');

    const second = createAdornClient(server.url, { headers: { 'x-user': 'ada' } }).watchInbox();
    await expect(second.next()).rejects.toMatchObject({ status: 429 });
    ada.leaving.abort();
    await runner.close();
  });
});
