import { InMemoryEvalStore } from '@adorn/eval';
import fc from 'fast-check';

import { callsTool, says } from '@adorn/testing';

import { TestDesk } from './request.fixture.js';

const CANARY = 'SECRET-OF-ADA';
const USERS = ['bob', 'dev'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A desk where ada has a session with an answer, an artifact, state and an open request, all with the canary. */
async function withSecrets(): Promise<{ desk: TestDesk; ids: Record<string, string> }> {
  const store = new InMemoryEvalStore();
  const conversation = [{ userContent: { role: 'user', parts: [{ text: 'Hi' }] } }];
  const evalCase = { evalId: 'x', conversation, sessionInput: { userId: 'ada' } };
  store.saveSet('desk', { evalSetId: 'set', evalCases: [evalCase] });
  const desk = await TestDesk.open(
    [
      callsTool('note', { text: CANARY }),
      callsTool('refund', { orderId: CANARY }),
      ...Array.from({ length: 20 }, () => says('Hello.')),
    ],
    { evals: { store } },
  );
  await desk.session('ada-session');
  const key = { appName: 'desk', userId: 'ada', sessionId: 'ada-session' };
  const { invocationId, pending, events } = await desk.runner.run({ ...key, message: CANARY });
  await desk.runner.sessions.updateSession(key, { 'user:name': CANARY });
  const scope = { appName: 'desk', userId: 'ada' };
  await desk.runner.memory.addMemory(scope, [{ content: { role: 'user', parts: [{ text: CANARY }] } }]);
  const [remembered] = await desk.runner.memory.listMemories(scope);
  const ids = {
    run: invocationId,
    request: pending[0]?.id ?? '',
    event: events[0]?.id ?? '',
    call: pending[0]?.functionCallId ?? '',
    memory: remembered?.id ?? '',
  };
  return { desk, ids };
}

const OTHER_PROTOCOLS = [
  '/adorn/apps/desk/ui-messages',
  '/adorn/apps/desk/ui-messages/ada-session/stream',
  '/adorn/apps/desk/ui-messages/ada-session',
  '/adorn/apps/desk/ag-ui',
  '/adorn/apps/desk/ag-ui/ada-session',
];

/** The paths of all routes, as another user would try them. */
function paths(
  user: string,
  { run = '', request = '', event = '', memory = '', call = '' }: Record<string, string>,
): string[] {
  const adk = ['ada', user].flatMap((owner) => {
    const session = `/apps/desk/users/${owner}/sessions/ada-session`;
    const artifact = `${session}/artifacts/note.txt`;
    return [
      `/apps/desk/users/${owner}/memory`,
      ...[`/apps/desk/users/${owner}/sessions`, session, `${session}/artifacts`, artifact],
      ...[`${artifact}/versions`, `${artifact}/versions/0`, `${session}/events/${event}/graph`],
      ...[`/dev${session}/events/${event}/graph`],
    ];
  });
  const own = '/adorn/apps/desk/sessions/ada-session';
  const api = ['', '?user=ada', `?user=${user}`].flatMap((query) =>
    [
      ...[
        own,
        `${own}/runs`,
        `${own}/messages`,
        `${own}/runs/${run}`,
        `${own}/requests`,
        `${own}/requests/${request}`,
      ],
      ...[
        `${own}/artifacts`,
        `${own}/artifacts/note.txt`,
        `${own}/calls`,
        `${own}/calls/${call}/ui`,
        `${own}/calls/${call}/ui/calls`,
        `${own}/explain`,
        `${own}/fork`,
      ],
      ...[
        `${own}/rewind`,
        `${own}/undo`,
        `${own}/feedback`,
        `${own}/export`,
        '/adorn/apps/desk/sessions',
        '/adorn/apps/desk/tools',
        '/adorn/apps/desk/profiles',
        '/adorn/apps/desk/profiles/profile',
        '/adorn/apps/desk/memories',
        `/adorn/apps/desk/memories/${encodeURIComponent(memory)}`,
      ],
    ].map((path) => path + query),
  );
  const sets = '/dev/apps/desk/eval_sets';
  const evals = [
    sets,
    `${sets}/set`,
    `${sets}/set/add_session`,
    `${sets}/set/run_eval`,
    `${sets}/set/evals/x`,
  ];
  const debug = ['/debug/trace/session/ada-session', `/debug/trace/${event}`].flatMap((path) => [
    path,
    `/dev/apps/desk${path}`,
  ]);
  return [
    ...adk,
    ...api,
    ...debug,
    ...evals,
    '/dev/apps/desk/eval_results',
    '/run',
    '/run_live?app_name=desk&user_id=ada&session_id=ada-session',
    '/run_sse',
    '/api/reasoning_engine',
    '/list-apps',
    '/adorn/apps',
    ...OTHER_PROTOCOLS,
  ];
}

/** Bodies that name ada's things. */
function bodies({ run = '', request = '', event = '' }: Record<string, string>): object[] {
  const answer = {
    functionResponse: { id: request, name: 'adk_request_confirmation', response: { confirmed: true } },
  };
  const address = { appName: 'desk', userId: 'ada', sessionId: 'ada-session' };
  const message = { newMessage: { role: 'user', parts: [{ text: 'Show me all' }] } };
  return [
    {},
    { ...address, ...message },
    {
      ...address,
      userId: undefined,
      newMessage: { role: 'user', parts: [answer] },
      functionCallEventId: event,
    },
    { ...address, newMessage: { role: 'user', parts: [answer] }, invocationId: run },
    { ...address, userId: undefined, invocationId: run },
    { input: { ...address, ...message } },
    {
      id: 'ada-session',
      messages: [
        {
          role: 'assistant',
          parts: [{ state: 'approval-responded', approval: { id: request, approved: true } }],
        },
      ],
    },
    {
      threadId: 'ada-session',
      runId: 'r1',
      messages: [],
      resume: [{ interruptId: request, status: 'resolved', payload: true }],
    },
    {
      ...{ evalId: 'x', sessionId: 'ada-session', userId: 'ada' },
      evalMetrics: [{ metricName: 'response_match_score', threshold: 1 }],
    },
    {
      decision: 'approve',
      message: 'Go',
      stateDelta: { x: 1 },
      tool: 'find_order',
      args: {},
      title: 'Mine',
      invocationId: run,
      at: event,
    },
    { eventId: event, score: 0, comment: 'Mine' },
    { invocationId: run, score: null },
  ];
}

describe('a user', () => {
  it('never sees or changes what is of another, on any route, by any method and body', async () => {
    const { desk, ids } = await withSecrets();
    await using opened = desk;
    const key = { appName: 'desk', userId: 'ada', sessionId: 'ada-session' };
    const before = JSON.stringify(await opened.runner.sessions.getSession(key));
    let requests = 0;
    const attempt = async (user: string, method: string, path: string, body: object): Promise<void> => {
      requests++;
      const sent = method === 'GET' ? { method, user } : { method, user, body };
      const response = await opened.send(path, sent);
      const text = await response.text();
      expect(text).not.toContain(CANARY);
      expect(response.status).toBeLessThan(500);
    };
    for (const user of USERS)
      for (const path of paths(user, ids))
        for (const method of METHODS)
          for (const body of method === 'GET' ? [{}] : bodies(ids)) await attempt(user, method, path, body);
    expect(requests).toBeGreaterThan(3_000);
    expect(JSON.stringify(await opened.runner.sessions.getSession(key))).toBe(before);
    expect(await opened.runner.artifacts.list(key)).toEqual(['note.txt']);
    expect(await opened.runner.pending(key)).toHaveLength(1);
  });

  it('is known by authentication, whatever names a request carries', async () => {
    const { desk, ids } = await withSecrets();
    await using opened = desk;
    const name = fc.constantFrom(
      'userId',
      'user_id',
      'user',
      'appName',
      'sessionId',
      'session_id',
      'invocationId',
      'by',
    );
    const value = fc.constantFrom(
      'ada',
      'ada-session',
      'desk',
      ids['run'] ?? '',
      ' ada',
      'ADA',
      '../ada',
      'ada%00',
    );
    const route = fc.constantFrom(...paths('bob', ids));
    await fc.assert(
      fc.asyncProperty(
        route,
        fc.dictionary(name, value),
        fc.constantFrom(...METHODS),
        async (path, body, method) => {
          const sent = method === 'GET' ? { method, user: 'bob' } : { method, user: 'bob', body };
          expect(await (await opened.send(path, sent)).text()).not.toContain(CANARY);
        },
      ),
      { numRuns: 100 },
    );
  });
});
