import { agent, createRunner, LlmAgent, type PendingRequest, type Runner, tool } from '@adorn/core';
import type { ApproverFacts, ApproverRule } from '@adorn/core/backend';

import { createAdornClient } from './client/adorn-client.js';
import { type Action, DOORS } from './doors.fixture.js';
import { type AdornServer, serve } from './serve.js';
import type { Principal } from './server-options.js';

const PEOPLE: Readonly<Record<string, Principal>> = {
  ada: { id: 'ada', tenant: 'acme' },
  bob: { id: 'bob', tenant: 'acme' },
  mia: { id: 'mia', roles: ['manager'], tenant: 'acme' },
  max: { id: 'max', roles: ['manager'], tenant: 'acme' },
  gil: { id: 'gil', roles: ['manager', 'director'], tenant: 'globex' },
};

const ADA = { id: 'ada', tenant: 'acme' };
const ran: number[] = [];

/** Pays out, with the schema of one number. */
function pays() {
  return { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] } as const;
}

type Paid = { readonly cents: number };

class Desk {
  @tool({
    description: 'Pay.',
    parameters: pays(),
    confirm: ({ cents }: Paid) => cents > 100,
    approvers: ({ cents }: Paid): ApproverRule => (cents > 1000 ? { role: 'director' } : { role: 'manager' }),
  })
  pay({ cents }: Paid): void {
    ran.push(cents);
  }

  @tool({ description: 'Pay with four eyes.', parameters: pays(), approvers: { role: 'manager', count: 2 } })
  payTwice({ cents }: Paid): void {
    ran.push(cents);
  }

  @tool({ description: 'Pay oneself.', parameters: pays(), effect: 'destructive' })
  payOwn({ cents }: Paid): void {
    ran.push(cents);
  }

  @tool({
    description: 'Pay a friend.',
    parameters: pays(),
    approvers: (_args: Paid, { requester }: ApproverFacts): ApproverRule =>
      requester.tenant === 'acme' ? 'others' : 'requester',
  })
  payFriend({ cents }: Paid): void {
    ran.push(cents);
  }
}

/** Pays. */
@agent({ model: null, description: 'Pays.', tools: [Desk] })
class Cashier extends LlmAgent {}

/** One request to a door, of a user by name. */
interface Try {
  readonly request: PendingRequest;
  readonly action: Action;
  readonly user: string | undefined;
}

describe('who may answer at a server', () => {
  let runner: Runner;
  let server: AdornServer;
  let count = 0;

  beforeAll(async () => {
    runner = await createRunner(Cashier, { appName: 'cashier' });
    const authenticate = ({ headers }: Request) => PEOPLE[headers.get('x-user') ?? ''];
    server = await serve(runner, { port: 0, page: false, authenticate });
  });

  afterAll(async () => {
    await server.close();
    await runner.close();
  });

  beforeEach(() => {
    ran.length = 0;
  });

  /** A request of ada, in a session of its own. */
  async function waiting(name = 'pay', cents = 500): Promise<PendingRequest> {
    const sessionId = `s${String(count++)}`;
    await runner.call({ tool: name, args: { cents }, userId: 'ada', sessionId, by: ADA });
    return (await openOf(sessionId))[0] as PendingRequest;
  }

  function openOf(sessionId: string): Promise<PendingRequest[]> {
    return runner.pending({ userId: 'ada', sessionId });
  }

  async function read(path: string, user: string) {
    const response = await fetch(`${server.url}${path}?user=ada`, { headers: { 'x-user': user } });
    return { status: response.status, text: await response.text() };
  }

  async function answer(door: string, { request, action, user }: Try): Promise<number | undefined> {
    const headers: Record<string, string> = user === undefined ? {} : { 'x-user': user };
    const sent = { headers, query: user === 'ada' ? '' : 'user=ada', body: {} };
    return DOORS[door]?.({ url: server.url, request, action, sent });
  }

  it('counts two managers, each once', async () => {
    const request = await waiting('pay_twice');
    const statuses: number[] = [];
    for (const user of ['mia', 'mia', 'gil', 'ada', 'max'])
      statuses.push((await answer('api', { request, action: 'approve', user })) ?? 0);
    expect([statuses, ran, await openOf(request.sessionId)]).toEqual([[200, 403, 404, 403, 200], [500], []]);
  });

  it('takes no approval that does not name the arguments which another manager has changed', async () => {
    const request = await waiting('pay_twice');
    const statuses: (number | undefined)[] = [];
    for (const [user, action] of [
      ['mia', 'up'],
      ['max', 'approve'],
    ] as const)
      statuses.push(await answer('api', { request, action, user }));
    expect([statuses, ran]).toEqual([[200, 409], []]);
    expect(await answer('api', { request, action: 'up', user: 'max' })).toBe(200);
    expect(ran).toEqual([50_000]);
  });

  it('counts two managers who answer at once', async () => {
    const request = await waiting('pay_twice');
    const came = await Promise.all(
      ['mia', 'max'].map((user) => answer('api', { request, action: 'approve', user })),
    );
    expect(came).toEqual([200, 200]);
    expect([ran, await openOf(request.sessionId)]).toEqual([[500], []]);
  });

  it('lets the requester answer where nothing is said, and nobody else know of it', async () => {
    const statuses = [];
    for (const user of ['bob', 'mia', 'gil', undefined]) {
      const request = await waiting('pay_own');
      statuses.push(await answer('api', { request, action: 'approve', user }));
    }
    expect([statuses, ran]).toEqual([[404, 404, 404, 401], []]);
    for (const door of ['api', 'agUi', 'useChat', 'run'])
      expect(await answer(door, { request: await waiting('pay_own'), action: 'approve', user: 'ada' })).toBe(
        200,
      );
    expect(ran).toEqual([500, 500, 500, 500]);
  });

  it('lets anybody else of the tenant answer for others', async () => {
    const statuses = [];
    const request = await waiting('pay_friend');
    for (const user of ['ada', 'gil', 'bob'])
      statuses.push(await answer('api', { request, action: 'approve', user }));
    expect([statuses, ran]).toEqual([[403, 404, 200], [500]]);
  });

  it('lets a manager delegate a request, which the delegate then sees and answers as that manager', async () => {
    const { id, sessionId } = await waiting();
    const path = `/adorn/apps/cashier/sessions/${sessionId}/requests`;
    const post = async (user: string, body: object) =>
      (
        await fetch(`${server.url}${path}/${id}?user=ada`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-user': user },
          body: JSON.stringify(body),
        })
      ).status;
    const statuses = [];
    for (const [user, to] of [
      ['ada', 'bob'],
      ['bob', 'bob'],
      ['gil', 'bob'],
      ['mia', 'bob'],
      ['mia', 'ada'],
      ['mia', 'gil'],
      ['bob', 'max'],
    ] as const)
      statuses.push(await post(user, { decision: 'delegate', to }));
    expect(statuses).toEqual([403, 404, 404, 200, 200, 200, 403]);
    expect((await read(path, 'bob')).text).toContain(id);
    for (const user of ['ada', 'gil']) statuses.push(await post(user, { decision: 'approve' }));
    expect([statuses.slice(-2), ran]).toEqual([[403, 404], []]);
    expect(await post('bob', { decision: 'approve', args: { cents: 50_000 } })).toBe(403);
    expect([await post('bob', { decision: 'approve' }), ran]).toEqual([200, [500]]);
  });

  it('lets who has answered read how the run ended, again after a break, and nobody else', async () => {
    const request = await waiting();
    let streams = 0;
    /** The first stream breaks off before its end. */
    const breaking: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const isStream = response.headers.get('content-type') === 'text/event-stream';
      if (!isStream || streams++ > 0) return response;
      await response.text();
      return new Response('', response);
    };
    const client = createAdornClient(server.url, { fetch: breaking, headers: { 'x-user': 'mia' } });

    const end = await client.sessionOf(request).approve(request);

    expect([streams, end.status, ran]).toEqual([2, 'answered', [500]]);
    const { invocationId } = end;
    expect(end).toEqual({ kind: 'end', status: 'answered', invocationId });
    const run = `/adorn/apps/cashier/sessions/${request.sessionId}/runs/${invocationId}`;
    for (const user of ['max', 'gil', 'bob'])
      expect(await read(run, user)).toEqual({
        status: 404,
        text: expect.stringContaining('Run not found') as string,
      });
  });

  it('tells who answers late of the request, and not of its user', async () => {
    const request = await waiting();
    await answer('api', { request, action: 'approve', user: 'max' });
    const client = createAdornClient(server.url, { headers: { 'x-user': 'mia' } });

    const late = client.sessionOf(request).reject(request);

    await expect(late).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('it was answered already') as string,
    });
    await expect(late).rejects.not.toThrow('ada');
  });

  it('lists a request for those who may answer it, and tells them nothing of the session', async () => {
    const { id, sessionId } = await waiting();
    const path = `/adorn/apps/cashier/sessions/${sessionId}`;
    const listed = await read(`${path}/requests`, 'mia');
    expect([listed.status, (JSON.parse(listed.text) as PendingRequest[]).map((one) => one.id)]).toEqual([
      200,
      [id],
    ]);
    for (const [user, place] of [
      ['bob', `${path}/requests`],
      ['mia', path],
      ['mia', `${path}/runs/e-1`],
      ['gil', `${path}/requests`],
    ] as const)
      expect((await read(place, user)).status).toBe(404);
    const missing = await read(`/adorn/apps/cashier/sessions/none/requests`, 'mia');
    const hidden = await read(`${path}/requests`, 'bob');
    expect(missing).toEqual(hidden);
  });
});
