import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Fleet, InProcessQueue, openFleet, startWorker } from '@adorn/fleet';
import { sqlStorage } from '@adorn/storage';
import { createRunner } from 'adorn';
import { chooseModel } from 'adorn/main';
import type { Hono } from 'hono';

import { OrderDesk } from './order-desk.agent.js';
import { routesOf } from './routes.js';

describe('a server on which as much waits as may', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-sample-fleet-'));
  let fleet: Fleet;
  let routes: Hono;

  beforeAll(async () => {
    const { model } = chooseModel({});
    const modules = [sqlStorage(join(folder, 'sessions.db'))];
    const runner = await createRunner(OrderDesk, { appName: 'orders', model, modules });
    const queue = new InProcessQueue();
    fleet = await openFleet(runner, { queue, maxWaiting: 2, maxWaitingPerUser: 1 });
    routes = routesOf(fleet);
  });
  afterAll(async () => {
    await fleet.close();
    await fleet.runner.close();
    rmSync(folder, { recursive: true });
  });

  it('answers 429, and says after how many seconds to repeat; a repeated message and a decision are taken', async () => {
    const first = { message: 'Refund order W1020', invocationId: 'first' };
    expect((await post('ada', 'messages', first)).status).toBe(202);

    const refused = await post('ada', 'messages', { message: 'Hello?' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      code: 'SERVER_BUSY',
      error: expect.stringContaining('maxWaitingPerUser') as string,
    });
    expect((await post('ada', 'messages', first)).status).toBe(202);
    expect((await post('bob', 'messages', { message: 'Track order W1017' })).status).toBe(202);
    expect((await post('eve', 'messages', { message: 'Hello?' })).status).toBe(429);

    const worker = await startWorker(fleet);
    const asked = await eventsOf('ada', 'first');
    await eventsOf('ada', 'none');
    const requestId = /"requestId":"([^"]+)"/.exec(asked)?.[1];
    await fleet.submit({ userId: 'ada', sessionId: 's2', message: 'Track order W1017', delay: 600_000 });
    expect((await post('ada', 'messages', { message: 'Hello?' })).status).toBe(429);
    const decided = await post('ada', 'decisions', { requestId, approved: true });
    expect(decided.status).toBe(202);
    const { invocationId } = (await decided.json()) as { invocationId: string };
    expect(await eventsOf('ada', invocationId)).toContain('refunded: 120');
    await worker.stop();
  });

  async function post(user: string, path: string, body: object): Promise<Response> {
    const headers = { 'X-User-Id': user };
    return routes.request(`/sessions/s1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async function eventsOf(user: string, invocation: string): Promise<string> {
    const path = `/sessions/s1/events?invocation=${invocation}`;
    return (await routes.request(path, { headers: { 'X-User-Id': user } })).text();
  }
});
