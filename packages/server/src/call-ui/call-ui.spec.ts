import { HttpAgent } from '@ag-ui/client';
import type { Message } from '@ag-ui/core';
import type { PendingRequest, Runner } from '@adorn/core';
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from 'ai';

import { adornHandler } from '../adorn-handler.js';
import { createAdornClient, isWaitingUiCall } from '../client/index.js';
import { serve } from '../serve.js';
import { HTML, openRooms, ran, VIEW } from './rooms-desk.fixture.js';

const SHOWN = {
  content: [{ type: 'text', text: '{"rooms":["Oak"],"room":"Oak"}' }],
  structuredContent: { rooms: ['Oak'], room: 'Oak' },
};

describe('the page of a call (MCP Apps) at the door', () => {
  it('is read and calls its tools by the client, as calls of the conversation', async () => {
    await using opened = await openChat();
    const { chat, runner, callId, ui } = opened;

    expect(ui).toBe(VIEW);
    expect(await chat.ui(callId)).toEqual({
      ...{ uri: VIEW, html: HTML, permissions: ['camera'], prefersBorder: true },
      csp: { connectDomains: ['https://api.example.com'], resourceDomains: [], frameDomains: [] },
      ...{ args: { room: 'Oak' }, result: SHOWN, callable: ['show', 'book', 'refresh'] },
    });
    expect(await chat.callFromUi(callId, { name: 'refresh', arguments: { room: 'Elm' } })).toEqual({
      content: [{ type: 'text', text: '{"rooms":["Oak"],"room":"Elm"}' }],
      structuredContent: { rooms: ['Oak'], room: 'Elm' },
    });
    const events = (await runner.sessions.getSession({ appName: 'desk', userId: 'ada', sessionId: 's1' }))
      ?.events;
    expect(events?.at(-2)?.customMetadata?.['adorn:caller']).toEqual({
      ...{ by: 'ada', channel: 'http', fromUi: callId },
    });
  });

  it('waits for the answer of a person, and its result is read afterwards', async () => {
    await using opened = await openChat();
    const { chat, callId } = opened;

    const outcome = await chat.callFromUi(callId, { name: 'book', arguments: { room: 'Elm' } });
    if (!isWaitingUiCall(outcome)) throw new Error('It did not wait.');
    const before = await chat.uiCall(callId, outcome.callId);
    await chat.approve(outcome.pending[0] as PendingRequest);
    const after = await chat.uiCall(callId, outcome.callId);

    expect(outcome.pending.map(({ tool }) => tool)).toEqual(['book']);
    expect(before).toMatchObject({ callId: outcome.callId, pending: [{ tool: 'book' }] });
    expect(after).toMatchObject({ structuredContent: { room: 'Elm' } });
    expect(ran).toEqual([
      ['show', { room: 'Oak' }],
      ['book', { room: 'Elm' }],
    ]);
  });

  it('tells the page that its call was rejected', async () => {
    await using opened = await openChat();
    const { chat, callId } = opened;
    const outcome = await chat.callFromUi(callId, { name: 'book' });
    if (!isWaitingUiCall(outcome)) throw new Error('It did not wait.');

    await chat.reject(outcome.pending[0] as PendingRequest, { reason: 'Too dear.' });

    expect(await chat.uiCall(callId, outcome.callId)).toMatchObject({ isError: true });
    expect(ran).toHaveLength(1);
  });

  it.each([
    [{ name: 'secret' }, 'UI_CALL_REFUSED', 403],
    [{ name: 'adk_request_confirmation' }, 'UI_CALL_REFUSED', 403],
    [{ name: 'refresh', arguments: 'x' as never }, 'REQUEST_INVALID', 400],
    // The client refuses it itself.
    [{ name: 7 as never }, 'REQUEST_INVALID', 0],
  ])('refuses what a page may not call: %j', async (tool, code, status) => {
    await using opened = await openChat();
    const { chat, callId } = opened;

    await expect(chat.callFromUi(callId, tool)).rejects.toMatchObject({ code, status });
    expect(ran).toHaveLength(1);
  });

  it('is for those alone who may read the conversation, and is no document of this origin', async () => {
    await using opened = await openChat();
    const { send, callId } = opened;
    const path = `/adorn/apps/desk/sessions/s1/calls/${callId}/ui`;

    const own = await send(path, 'ada');
    const others = [
      await send(path, 'bob'),
      await send(`${path}?user=ada`, 'bob'),
      await send(`${path}/calls`, 'bob', { name: 'refresh' }),
      await send(path, ''),
    ];

    const frame = await send(`${path}/frame`, 'ada');
    expect(await frame.text()).toBe(HTML);
    expect(frame.headers.get('content-security-policy')).toBe(
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' ; style-src 'unsafe-inline' ; " +
        "img-src data: ; font-src data: ; media-src data: ; connect-src https://api.example.com; frame-src 'none'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    expect((await send(`${path}/frame`, 'ada', undefined, { 'sec-fetch-dest': 'document' })).status).toBe(
      404,
    );
    expect((await send(`${path}/frame`, 'bob')).status).toBe(404);
    expect(own.headers.get('content-type')).toBe('application/json');
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 401]);
    expect(ran).toHaveLength(1);
  });
});

describe('the page of a call (MCP Apps) in AG-UI', () => {
  it('is an activity, whose page reads and calls as the middleware of AG-UI has it', async () => {
    await using opened = await openServer();
    const { url, headers, runner } = opened;
    const agent = new HttpAgent({ url: `${url}/adorn/apps/desk/ag-ui`, headers, threadId: 't1' });
    agent.addMessage({ id: 'm1', role: 'user', content: 'Show Oak' });
    await agent.runAgent({ runId: 'r1' });
    const activity = activityIn(agent.messages);

    expect(activity.content).toMatchObject({ resourceUri: VIEW, result: SHOWN, toolInput: { room: 'Oak' } });
    const { serverHash } = activity.content as { serverHash: string };
    const ask = async (method: string, params: object) => {
      const { result } = await agent.runAgent({
        forwardedProps: { __proxiedMCPRequest: { serverHash, method, params } },
      });
      return result as Record<string, unknown>;
    };
    expect(await ask('resources/read', { uri: VIEW })).toMatchObject({
      contents: [
        {
          ...{ uri: VIEW, mimeType: 'text/html;profile=mcp-app', text: HTML },
          _meta: { ui: { permissions: { camera: {} } } },
        },
      ],
    });
    expect(await ask('tools/call', { name: 'refresh', arguments: { room: 'Elm' } })).toMatchObject({
      structuredContent: { room: 'Elm' },
    });
    for (const [method, params] of [
      ['tools/call', { name: 'secret' }],
      ['resources/read', { uri: 'ui://rooms/other.html' }],
      ['resources/read', { uri: 'file:///etc/passwd' }],
      ['resources/list', {}],
    ] as const)
      expect(await ask(method, params)).toEqual({ error: expect.any(String) as string });
    expect(ran.map((call) => (call as unknown[])[0])).toEqual(['show', 'refresh']);

    await ask('tools/call', { name: 'book', arguments: {} });
    const [open] = await runner.pending({ userId: 'user', sessionId: 't1' });
    const resume = [{ interruptId: open?.id ?? '', status: 'resolved' as const, payload: true }];
    await agent.runAgent({ runId: 'r2', resume });
    expect(ran.map((call) => (call as unknown[])[0])).toEqual(['show', 'refresh', 'book']);

    const loaded = await fetch(`${url}/adorn/apps/desk/ag-ui/t1`, { headers });
    const { messages } = (await loaded.json()) as { messages: Message[] };
    expect(activityIn(messages)).toEqual(activity);
  });
});

describe('the page of a call (MCP Apps) in useChat', () => {
  it('is metadata of the part, where the renderer of the AI SDK finds it, also after a reload', async () => {
    await using opened = await openServer();
    const { url, headers } = opened;
    const body = JSON.stringify({
      id: 'u1',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Show' }] }],
    });
    const response = await fetch(`${url}/adorn/apps/desk/ui-messages`, {
      ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body },
    });
    const stream = parseJsonEventStream({ stream: response.body!, schema: uiMessageChunkSchema }).pipeThrough(
      new TransformStream({
        transform: (chunk, controller) => {
          if (!chunk.success) throw chunk.error;
          controller.enqueue(chunk.value);
        },
      }),
    );
    let parts: readonly object[] = [];
    for await (const message of readUIMessageStream({ stream: stream as never })) ({ parts } = message);
    const loaded = await fetch(`${url}/adorn/apps/desk/ui-messages/u1`, { headers });
    const { messages } = (await loaded.json()) as { messages: { parts: object[] }[] };

    const app = { resourceUri: VIEW, mimeType: 'text/html;profile=mcp-app' };
    for (const shown of [parts, messages.at(-1)?.parts ?? []])
      expect(shown.find((part) => 'toolCallId' in part)).toMatchObject({
        ...{ type: 'dynamic-tool', state: 'output-available', toolMetadata: { app } },
      });
  });
});

function activityIn(messages: readonly Message[]) {
  const activity = messages.find(({ role }) => role === 'activity');
  expect(activity).toMatchObject({ activityType: 'mcp-apps' });
  return activity as Extract<Message, { role: 'activity' }>;
}

async function openServer() {
  const runner = await openRooms();
  const server = await serve(runner, { port: 0, page: false });
  const headers = { authorization: `Bearer ${server.token ?? ''}` };
  return { url: server.url, headers, runner, [Symbol.asyncDispose]: () => closed(server, runner) };
}

/** A conversation of ada in which the model has shown the page. */
async function openChat() {
  const runner = await openRooms();
  const authenticate = ({ headers }: Request) => headers.get('x-user') || undefined;
  const handler = await adornHandler(runner, { authenticate });
  const send = (path: string, user: string, body?: object, more: Record<string, string> = {}) =>
    handler(
      new Request(`http://localhost${path}`, {
        ...{
          method: body ? 'POST' : 'GET',
          headers: { 'x-user': user, 'content-type': 'application/json', ...more },
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const client = createAdornClient('http://localhost', {
    headers: { 'x-user': 'ada' },
    fetch: (url, init) => handler(new Request(url, init)),
  });
  const chat = await client.createSession({ id: 's1' });
  let result;
  for await (const frame of chat.send('Show Oak')) if (frame.kind === 'result') result = frame;
  return {
    ...{ chat, send, runner, callId: result?.id ?? '', ui: result?.ui },
    [Symbol.asyncDispose]: () => closed(handler, runner),
  };
}

async function closed(server: { close(): Promise<void> }, runner: Runner): Promise<void> {
  await server.close();
  await runner.close();
}
