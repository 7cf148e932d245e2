import { callsTool, callsTools, says, streams } from '@adorn/testing';

import { Orders } from '../desk.fixture.js';
import { dataOf, TestDesk } from '../request.fixture.js';

const SESSIONS = '/apps/desk/users/ada/sessions';

function message(text: string, more: object = {}) {
  const newMessage = { role: 'user', parts: [{ text }] };
  return { appName: 'desk', userId: 'ada', sessionId: 's1', newMessage, ...more };
}

describe('the routes of adk-web', () => {
  it('list applications, the version and the health', async () => {
    await using desk = await TestDesk.open([]);
    expect(await desk.json('/list-apps?relative_path=./')).toEqual(['desk']);
    expect(await desk.json('/version')).toMatchObject({ language: 'typescript' });
    expect(await (await desk.handler(new Request('http://10.0.0.1/health'))).text()).toBe('OK');
  });

  it('create, list, rename and delete sessions, with times in seconds', async () => {
    await using desk = await TestDesk.open([]);
    const created = await desk.json(SESSIONS, { body: { state: { a: 1 } } });
    expect(created).toMatchObject({ appName: 'desk', userId: 'ada', state: { a: 1 }, events: [] });
    expect(created['lastUpdateTime']).toBeLessThan(1e11);
    expect((await desk.send(SESSIONS, { method: 'POST' })).status).toBe(200);

    const path = `${SESSIONS}/${String(created['id'])}`;
    const delta = { __session_metadata__: { displayName: 'Refunds' } };
    const renamed = await desk.json(path, { method: 'PATCH', body: { state_delta: delta } });
    expect(renamed['state']).toEqual({ a: 1, ...delta });
    expect(await desk.json<unknown[]>(SESSIONS)).toHaveLength(2);
    expect((await desk.send(path, { method: 'DELETE' })).status).toBe(204);
    expect(await desk.json(path)).toMatchObject({
      error: expect.stringMatching(/^Session not found: /) as string,
    });
  });

  it('refuse a second session of one id', async () => {
    await using desk = await TestDesk.open([]);
    await desk.session('s1');
    const response = await desk.send(`${SESSIONS}/s1`, { body: {} });
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'SESSION_EXISTS' }),
    ]);
  });

  it('import events of developers, with milliseconds of other kits, and refuse those of users', async () => {
    await using desk = await TestDesk.open([]);
    const event = {
      id: 'e1',
      invocationId: 'i1',
      author: 'user',
      timestamp: 1_795_294_089_827,
      content: { parts: [{ text: 'Hi' }] },
    };
    expect((await desk.send(SESSIONS, { body: { events: [event] } })).status).toBe(403);
    const own = '/apps/desk/users/dev/sessions';
    const imported = await desk.json<{ events: { timestamp: number }[] }>(own, {
      body: { events: [event] },
      user: 'dev',
    });
    expect(imported.events).toMatchObject([{ id: 'e1', timestamp: 1_795_294_089.827 }]);
    expect(await desk.json(own, { body: { events: [{}] }, user: 'dev' })).toMatchObject({
      code: 'EVENT_INVALID',
    });
  });

  it('add a session to the memory of its user, and none of another user', async () => {
    await using desk = await TestDesk.open([says('The parcel is blue.')]);
    await desk.session('s1');
    await desk.json('/run', { body: message('Which parcel?') });
    const patch = { method: 'PATCH', body: { session_id: 's1' } };
    expect((await desk.send('/apps/desk/users/bob/memory', { ...patch, user: 'bob' })).status).toBe(404);
    expect((await desk.send('/apps/desk/users/ada/memory', { ...patch, user: 'bob' })).status).toBe(404);
    expect((await desk.send('/apps/desk/users/ada/memory', patch)).status).toBe(204);
    const found = await desk.runner.memory.searchMemory({ appName: 'desk', userId: 'ada' }, 'parcel');
    expect(JSON.stringify(found)).toContain('blue');
  });

  it('run a message, in camelCase and in snake_case', async () => {
    await using desk = await TestDesk.open([
      callsTool('find_order', { orderId: 'A' }),
      says('Shipped.'),
      says('Again.'),
    ]);
    await desk.session('s1');
    const events = await desk.json<{ author: string; actions: object; longRunningToolIds: unknown }[]>(
      '/run',
      {
        body: message('Find A', { stateDelta: null }),
      },
    );
    expect(events.map(({ author }) => author)).toEqual(['desk', 'desk', 'desk']);
    expect(Object.keys(events[0]?.actions ?? {})).toEqual([
      'stateDelta',
      'artifactDelta',
      'requestedAuthConfigs',
      'requestedToolConfirmations',
    ]);
    expect(events[0]?.longRunningToolIds).toEqual([]);
    const snake = { session_id: 's1', new_message: { parts: [{ text: 'Again' }] } };
    expect(await desk.json('/run', { body: snake })).toMatchObject([
      { content: { parts: [{ text: 'Again.' }] } },
    ]);
    expect(await desk.json('/run', { body: message('', { newMessage: null }) })).toEqual([]);
  });

  it('stream pieces, then the whole answer without `partial`', async () => {
    await using desk = await TestDesk.open([streams('Hel', 'lo')]);
    await desk.session('s1');
    const response = await desk.send('/run_sse', { body: message('Hi', { streaming: true }) });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const text = await response.text();
    expect(text.match(/"partial":true/g)).toHaveLength(2);
  });

  it('write events that begin with `data: ` and have no other line, as the client of Google reads them', async () => {
    await using desk = await TestDesk.open([callsTool('note', { text: 'x' }), streams('Do', 'ne.')]);
    await desk.session('s1');
    const response = await desk.send('/run_sse', { body: message('Note x', { streaming: true }) });
    const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
    const events = blocks.map((block) => {
      expect(block.startsWith('data: ')).toBe(true);
      return JSON.parse(block.slice('data: '.length)) as { author: string };
    });
    expect(events.length).toBeGreaterThanOrEqual(5);
    expect(new Set(events.map(({ author }) => author))).toEqual(new Set(['desk']));
  });

  it('tell of a session that does not exist, with 404: as JSON, and as an event to adk-web, which asks for one', async () => {
    await using desk = await TestDesk.open([]);
    const fault = { error: 'Session not found: s1', detail: 'Session not found: s1', code: 'NOT_FOUND' };
    const response = await desk.send('/run_sse', { body: message('Hi') });
    expect([response.status, await response.json()]).toEqual([404, fault]);
    const headers = { accept: 'text/event-stream' };
    const shown = await desk.send('/run_sse', { body: message('Hi'), headers });
    expect([shown.status, await dataOf(shown)]).toEqual([404, [fault]]);
    expect((await desk.send('/run', { body: message('Hi') })).status).toBe(404);
  });

  it("let a developer write state of the user and the application, as Google's server does", async () => {
    await using desk = await TestDesk.open([says('Hi.')]);
    const state = { own: 1, 'user:name': 'Dev', 'app:theme': 'dark', 'temp:x': 1 };
    const sessions = '/apps/desk/users/dev/sessions';
    const stored = { own: 1, 'user:name': 'Dev', 'app:theme': 'dark' };
    expect(await desk.json(sessions, { body: { sessionId: 's1', state }, user: 'dev' })).toMatchObject({
      state: stored,
    });
    const stateDelta = { own: 2, 'user:name': 'Grace', 'app:theme': 'light', 'temp:x': 2 };
    await desk.json('/run', { body: message('Hi', { userId: 'dev', stateDelta }), user: 'dev' });
    const { state: after } = await desk.json(`${sessions}/s1`, { user: 'dev' });
    expect(after).toEqual({ own: 2, 'user:name': 'Grace', 'app:theme': 'light' });
    for (const key of ['_adorn', '_adorn:calls', '__proto__']) {
      const body = `{"state":{${JSON.stringify(key)}:1}}`;
      expect((await desk.send(sessions, { body, user: 'dev' })).status).toBe(400);
    }
  });

  it('send content and artifacts of an event one after the other, and load the artifact', async () => {
    await using desk = await TestDesk.open([callsTool('note', { text: 'milk' }), says('Noted.')]);
    await desk.session('s1');
    const sent = await dataOf(await desk.send('/run_sse', { body: message('Note milk') }));
    const [, shown, saved] = sent as { content?: object; actions: { artifactDelta: object } }[];
    expect([shown?.content === undefined, shown?.actions.artifactDelta]).toEqual([false, {}]);
    expect([saved?.content, saved?.actions.artifactDelta]).toEqual([undefined, { 'note.txt': 0 }]);

    const artifacts = `${SESSIONS}/s1/artifacts`;
    expect(await desk.json(artifacts)).toEqual(['note.txt']);
    expect(await desk.json(`${artifacts}/note.txt/versions`)).toEqual([0]);
    expect(await desk.json(`${artifacts}/note.txt/versions/0`)).toEqual({ text: 'milk' });
    expect((await desk.send(`${artifacts}/none.txt`)).status).toBe(404);
    expect((await desk.send(`${artifacts}/note.txt/versions/x`)).status).toBe(400);
    expect((await desk.send(`${artifacts}/note.txt`, { method: 'DELETE' })).status).toBe(204);
  });

  it('approve as adk-web does, and hold an answer to the event that the client names', async () => {
    Orders.refunds.length = 0;
    await using desk = await TestDesk.open([callsTool('refund', { orderId: 'B' }), says('Refunded.')]);
    await desk.session('s1');
    const asked = await desk.json<{ longRunningToolIds: string[] }[]>('/run', { body: message('Refund B') });
    expect(asked.flatMap(({ longRunningToolIds }) => longRunningToolIds)).toHaveLength(1);
    const [request] = await desk.runner.pending({ userId: 'ada', sessionId: 's1' });
    const { events } = await desk.json<{ events: { id: string; longRunningToolIds: string[] }[] }>(
      `${SESSIONS}/s1`,
    );
    const asking = events.find(({ longRunningToolIds }) => longRunningToolIds.length > 0);
    const functionResponse = {
      id: request?.id,
      name: 'adk_request_confirmation',
      response: { confirmed: true },
    };
    const newMessage = { role: 'user', parts: [{ functionResponse }] };
    const wrong = await desk.send('/run_sse', {
      body: message('', { newMessage, functionCallEventId: events[0]?.id }),
    });
    expect(await wrong.json()).toMatchObject({ code: 'REQUEST_INVALID', field: 'functionCallEventId' });
    const body = message('', {
      newMessage,
      functionCallEventId: asking?.id,
      invocationId: request?.invocationId,
    });
    const answered = await dataOf(await desk.send('/run_sse', { body }));
    expect(answered.at(-1)).toMatchObject({ content: { parts: [{ text: 'Refunded.' }] } });
    expect(Orders.refunds).toEqual(['B']);
    expect(desk.runner.isActive(String(answered[0]?.['invocationId']))).toBe(false);
  });

  it('show graphs and traces to developers only', async () => {
    await using desk = await TestDesk.open([
      callsTools(
        { name: 'find_order', args: { orderId: 'A' } },
        { name: 'find_order', args: { orderId: 'B' } },
      ),
      says('Both.'),
    ]);
    await desk.session('s1', 'dev');
    await desk.json('/run', { body: message('Find both', { userId: 'dev' }), user: 'dev' });
    expect(await desk.json('/dev/apps/desk/build_graph', { user: 'dev' })).toMatchObject({
      name: 'desk',
      root_agent: {
        type: 'agent',
        tools: expect.arrayContaining([{ name: 'refund', type: 'tool' }]) as unknown,
      },
    });
    const spans = await desk.json<{ name: string; attributes: Record<string, string> }[]>(
      '/dev/apps/desk/debug/trace/session/s1',
      { user: 'dev' },
    );
    expect(spans.map(({ name }) => name)).toEqual([
      'invoke_agent desk',
      'call_llm',
      'execute_tool find_order',
      'execute_tool find_order',
      'call_llm',
    ]);
    const id = spans[2]?.attributes['gcp.vertex.agent.event_id'] ?? '';
    expect(await desk.json(`/debug/trace/${id}`, { user: 'dev' })).toMatchObject({
      'gen_ai.tool.name': 'find_order',
    });
    const graph = await desk.json(`/dev/apps/desk/users/dev/sessions/s1/events/${id}/graph`, { user: 'dev' });
    expect(graph['dotSrc']).toContain(
      '"desk#find_order" [label="🔧 find_order", style="rounded,filled,dashed", color="#15803D"',
    );
    for (const path of ['/dev/apps/desk/build_graph', '/dev/apps/desk/eval_sets', `/debug/trace/${id}`])
      expect((await desk.send(path)).status).toBe(403);
    for (const path of ['/dev/apps/desk/eval_sets', '/dev/apps/desk/builder?ts=1'])
      expect((await desk.send(path, { user: 'dev' })).status).toBe(404);
  });

  it('cancel a run whose client disconnects', async () => {
    await using desk = await TestDesk.open([callsTool('count'), says('Free again.')]);
    await desk.session('s1');
    const response = await desk.send('/run_sse', { body: message('Count') });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const events = await desk.json('/run', { body: message('Hello') });
    expect(events).toMatchObject([{ content: { parts: [{ text: 'Free again.' }] } }]);
  });
});
