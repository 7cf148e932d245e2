import { createRunner, type Runner } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { Desk } from './desk.fixture.js';
import { type A2aServing, serveA2a } from './serve-a2a.js';

const open: (Runner<unknown> | A2aServing)[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const TRANSPORTS = {
  'JSON-RPC': { path: '', envelope: (params: object) => rpc('message/stream', params) },
  'HTTP+JSON': { path: '/rest/v1/message:stream', envelope: (params: object) => params },
} as const;

describe.each(Object.entries(TRANSPORTS))('a stream of revision 0.3 over %s', (_, { path, envelope }) => {
  it.each([
    ['a confirmation', callsTool('refund', { order: 1 })],
    ['an input', callsTool('ask_size', {})],
    ['an answer', says('Hello.')],
  ])('tells its last update, and no other, that it is final: it ends with %s', async (_kind, step) => {
    const url = await serve(step);

    const updates = await streamOf(`${url}${path}`, envelope({ message: message('Please.') }));

    const finals = updates.map(({ final }) => final === true);
    expect(finals.indexOf(true)).toBe(updates.length - 1);
    expect(updates.at(-1)?.status).toBeDefined();
  });
});

interface Update {
  readonly final?: boolean;
  readonly status?: object;
}

async function serve(step: ReturnType<typeof says>): Promise<string> {
  const runner = await createRunner(Desk, { model: new ScriptedModel(step) });
  const serving = await serveA2a(runner, { port: 0, authenticate: () => 'ada', approve: () => true });
  open.push(runner, serving);
  return serving.url.replace(/\/$/, '');
}

function rpc(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

function message(text: string): object {
  return { kind: 'message', role: 'user', messageId: 'm1', parts: [{ kind: 'text', text }] };
}

async function streamOf(url: string, body: object): Promise<Update[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.includes('data:'));
  return frames.map((frame) => {
    const value = JSON.parse(frame.replace(/^[^]*?data: ?/, '')) as {
      result?: Update;
      statusUpdate?: Update;
    };
    return value.result ?? value.statusUpdate ?? (value as Update);
  });
}
