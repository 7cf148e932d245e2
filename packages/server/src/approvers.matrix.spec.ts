import { agent, createRunner, LlmAgent, type PendingRequest, type Runner, tool } from '@adorn/core';
import type { ApproverFacts, ApproverRule } from '@adorn/core/backend';

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

const ACTIONS = ['approve', 'reject', 'up', 'down', 'remember'] as const;
type Action = (typeof ACTIONS)[number];

/** What a client claims of itself, beside what `authenticate` reads. */
interface Claims {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** One request to a door. */
interface Try extends Claims {
  readonly request: PendingRequest;
  readonly action: Action;
  readonly user: string | undefined;
}

/** A way to answer: its path and body. Undefined for an action that it does not know. */
type Door = (tried: Try) => { readonly path: string; readonly body: object } | undefined;

const CHANGED: Partial<Record<Action, object>> = { up: { cents: 50_000 }, down: { cents: 50 } };

const DOORS: Readonly<Record<string, Door>> = {
  api: ({ request: { id, sessionId }, action }) => ({
    path: `/adorn/apps/cashier/sessions/${sessionId}/requests/${id}`,
    body: {
      decision: action === 'reject' ? 'reject' : 'approve',
      args: CHANGED[action],
      remember: action === 'remember' ? 'session' : undefined,
    },
  }),
  agUi: ({ request: { id, sessionId }, action }) =>
    action === 'remember'
      ? undefined
      : {
          path: '/adorn/apps/cashier/ag-ui',
          body: {
            threadId: sessionId,
            runId: 'r1',
            messages: [],
            resume: [
              {
                interruptId: id,
                status: 'resolved',
                payload: { approved: action !== 'reject', args: CHANGED[action] },
              },
            ],
          },
        },
  useChat: ({ request: { id, sessionId }, action }) =>
    action === 'approve' || action === 'reject'
      ? {
          path: '/adorn/apps/cashier/ui-messages',
          body: {
            id: sessionId,
            messages: [
              {
                role: 'assistant',
                parts: [{ state: 'approval-responded', approval: { id, approved: action === 'approve' } }],
              },
            ],
          },
        }
      : undefined,
  adkWeb: ({ request: { id, sessionId }, action }) =>
    action === 'approve' || action === 'reject'
      ? {
          path: '/run',
          body: {
            appName: 'cashier',
            userId: 'ada',
            sessionId,
            newMessage: {
              role: 'user',
              parts: [
                {
                  functionResponse: {
                    id,
                    name: 'adk_request_confirmation',
                    response: { confirmed: action === 'approve', by: 'mia', roles: ['manager'] },
                  },
                },
              ],
            },
          },
        }
      : undefined,
};

const FORGED = { id: 'mia', roles: ['manager', 'director'], tenant: 'acme' };
const BODY = { ...FORGED, by: FORGED, principal: FORGED, userId: 'mia' };

interface Person extends Claims {
  readonly user: string | undefined;
  /** The statuses of the actions at the door of answers, and at all others. */
  readonly expected: Readonly<Record<Action, number>>;
  readonly elsewhere: number;
}

const all = (status: number): Readonly<Record<Action, number>> => ({
  approve: status,
  reject: status,
  up: status,
  down: status,
  remember: status,
});

/** Every person, and what comes of each action on the request to pay 500, which a manager has to approve. */
const PERSONS: Readonly<Record<string, Person>> = {
  requester: { user: 'ada', expected: all(403), elsewhere: 403 },
  'other user': { user: 'bob', expected: all(404), elsewhere: 404 },
  manager: { user: 'mia', expected: { ...all(200), up: 403, remember: 403 }, elsewhere: 404 },
  'manager of another tenant': { user: 'gil', expected: all(404), elsewhere: 404 },
  nobody: { user: undefined, expected: all(401), elsewhere: 401 },
  'requester, forged in the body': { user: 'ada', body: BODY, expected: all(403), elsewhere: 403 },
  'requester, forged in headers': {
    user: 'ada',
    headers: { 'x-principal': JSON.stringify(FORGED), 'x-roles': 'manager', 'x-user-id': 'mia' },
    expected: all(403),
    elsewhere: 403,
  },
  'requester, forged in the query': {
    user: 'ada',
    query: 'by=mia&roles=manager&principal=mia',
    expected: all(403),
    elsewhere: 403,
  },
  'other user, forged everywhere': {
    user: 'bob',
    body: BODY,
    headers: { 'x-roles': 'manager' },
    query: 'by=mia&roles=manager',
    expected: all(404),
    elsewhere: 404,
  },
};

const cells = Object.entries(DOORS).flatMap(([door]) =>
  Object.keys(PERSONS).flatMap((person) => ACTIONS.map((action) => [door, person, action] as const)),
);

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

  async function send(
    path: string,
    body: object | undefined,
    { user, headers, query = '' }: Omit<Try, 'request' | 'action'>,
  ) {
    const named = user === 'ada' ? query : `user=ada&${query}`;
    const response = await fetch(`${server.url}${path}?${named}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(user !== undefined && { 'x-user': user }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function answer(door: string, tried: Try) {
    const made = DOORS[door]?.(tried);
    return made && send(made.path, { ...tried.body, ...made.body }, tried);
  }

  it.each(cells)('at %s: %s, %s', async (door, name, action) => {
    const person = PERSONS[name] as Person;
    const request = await waiting();
    const { body, headers = {}, query = '' } = person;
    const tried = { request, action, user: person.user, headers, query, ...(body && { body }) };
    const came = await answer(door, tried);
    if (came === undefined) return;
    const expected = door === 'api' ? person.expected[action] : person.elsewhere;
    expect([came.status, came.text.includes('MADE')]).toEqual([expected, false]);
    const isDone = expected === 200;
    expect(await openOf(request.sessionId)).toEqual(isDone ? [] : [request]);
    const paid = { approve: [500], down: [50], up: [50_000], reject: [], remember: [500] }[action];
    expect(ran).toEqual(isDone ? paid : []);
    if (expected === 403) expect(came.text).toContain('APPROVER_NOT_ALLOWED');
    if (expected === 404) expect(came.text).toContain('NOT_FOUND');
  });

  it('counts two managers, each once', async () => {
    const request = await waiting('pay_twice');
    const statuses: number[] = [];
    for (const user of ['mia', 'mia', 'gil', 'ada', 'max'])
      statuses.push((await answer('api', { request, action: 'approve', user }))?.status ?? 0);
    expect([statuses, ran, await openOf(request.sessionId)]).toEqual([[200, 403, 404, 403, 200], [500], []]);
  });

  it('takes no approval that does not name the arguments which another manager has changed', async () => {
    const request = await waiting('pay_twice');
    const statuses: (number | undefined)[] = [];
    for (const [user, action] of [
      ['mia', 'up'],
      ['max', 'approve'],
    ] as const)
      statuses.push((await answer('api', { request, action, user }))?.status);
    expect([statuses, ran]).toEqual([[200, 409], []]);
    expect((await answer('api', { request, action: 'up', user: 'max' }))?.status).toBe(200);
    expect(ran).toEqual([50_000]);
  });

  it('counts two managers who answer at once', async () => {
    const request = await waiting('pay_twice');
    const came = await Promise.all(
      ['mia', 'max'].map((user) => answer('api', { request, action: 'approve', user })),
    );
    expect(came.map((one) => one?.status)).toEqual([200, 200]);
    expect([ran, await openOf(request.sessionId)]).toEqual([[500], []]);
  });

  it('lets the requester answer where nothing is said, and nobody else know of it', async () => {
    const statuses = [];
    for (const user of ['bob', 'mia', 'gil', undefined]) {
      const request = await waiting('pay_own');
      statuses.push((await answer('api', { request, action: 'approve', user }))?.status);
    }
    expect([statuses, ran]).toEqual([[404, 404, 404, 401], []]);
    for (const door of Object.keys(DOORS))
      expect(
        (await answer(door, { request: await waiting('pay_own'), action: 'approve', user: 'ada' }))?.status,
      ).toBe(200);
    expect(ran).toEqual([500, 500, 500, 500]);
  });

  it('lets anybody else of the tenant answer for others', async () => {
    const statuses = [];
    const request = await waiting('pay_friend');
    for (const user of ['ada', 'gil', 'bob'])
      statuses.push((await answer('api', { request, action: 'approve', user }))?.status);
    expect([statuses, ran]).toEqual([[403, 404, 200], [500]]);
  });

  it('lists a request for those who may answer it, and tells them nothing of the session', async () => {
    const { id, sessionId } = await waiting();
    const path = `/adorn/apps/cashier/sessions/${sessionId}`;
    const listed = await send(`${path}/requests`, undefined, { user: 'mia' });
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
      expect((await send(place, undefined, { user })).status).toBe(404);
    const missing = await send(`/adorn/apps/cashier/sessions/none/requests`, undefined, { user: 'mia' });
    const hidden = await send(`${path}/requests`, undefined, { user: 'bob' });
    expect(missing).toEqual(hidden);
  });
});
