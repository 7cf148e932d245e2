import type { UiResult } from '@adorn/core/backend';

import { PageHost, type PageWish } from './page-host.js';

const RESULT: UiResult = { content: [{ type: 'text', text: 'Two rooms.' }] };

describe('the host of a page (MCP Apps)', () => {
  it('shows a page the call once it is ready', async () => {
    const { host, sent, ask } = open();

    expect(await ask('ui/initialize', {})).toMatchObject({
      result: {
        protocolVersion: '2026-01-26',
        hostCapabilities: { serverTools: {} },
        hostContext: { theme: 'dark' },
      },
    });
    expect(sent).toHaveLength(1);
    host.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });

    expect(sent.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { floor: 2 } } },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: RESULT },
    ]);
  });

  it('calls tools for it, at most 8 at once, and tells it why one was refused', async () => {
    const { ask, called, release } = open();
    const calls = Array.from({ length: 9 }, () =>
      ask('tools/call', { name: 'refresh', arguments: { a: 1 } }),
    );

    expect(await calls[8]).toMatchObject({ error: { message: '8 calls of the page run already.' } });
    release();
    expect(await calls[0]).toMatchObject({ result: RESULT });
    expect(called).toHaveLength(8);
    expect(called[0]).toEqual(['refresh', { a: 1 }]);
    expect(await ask('tools/call', { name: 'fail' })).toMatchObject({ error: { message: 'refused' } });
    expect(await ask('tools/call', { arguments: {} })).toHaveProperty('error');
  });

  it('asks the person before a link is opened or a message is sent, one thing at a time', async () => {
    const { ask, wishes, decide } = open();

    const link = ask('ui/open-link', { url: 'https://example.com/a b' });
    const meanwhile = await ask('ui/open-link', { url: 'https://example.com/2' });
    decide(true);
    const opened = await link;
    const message = ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'Book Oak' }] });
    decide(false);

    expect([opened, meanwhile, await message].map(({ result }) => result)).toEqual([
      {},
      { isError: true },
      { isError: true },
    ]);
    expect(wishes).toEqual([
      { kind: 'link', url: 'https://example.com/a%20b' },
      { kind: 'message', text: 'Book Oak' },
    ]);
  });

  it.each([
    ['ui/open-link', { url: 'javascript:alert(1)' }],
    ['ui/open-link', { url: 'file:///etc/passwd' }],
    ['ui/open-link', { url: 'https://user:secret@example.com/' }],
    ['ui/open-link', { url: 7 }],
    ['ui/message', { content: [] }],
    ['ui/message', { content: [{ type: 'image', data: 'x' }] }],
  ])('does not even ask for %s with %j', async (method, params) => {
    const { ask, wishes } = open();

    expect(await ask(method, params)).toMatchObject({ result: { isError: true } });
    expect(wishes).toEqual([]);
  });

  it.each([
    null,
    7,
    'x',
    [],
    {},
    { jsonrpc: '2.0' },
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'tools/call' },
  ])('leaves a message that is none: %j', (message) => {
    const { host, sent, called } = open();

    host.receive(message);

    expect([sent, called]).toEqual([[], []]);
  });

  it.each(['resources/read', 'sampling/createMessage', 'ui/update-model-context', '__proto__'])(
    'has no %s',
    async (method) => {
      expect(await open().ask(method, {})).toMatchObject({ error: { code: -32601 } });
    },
  );

  it.each([
    [300, 300],
    [1e9, 800],
    [-5, 40],
    [NaN, undefined],
    ['9', undefined],
  ])('gives a page that wants %s pixels %s', (height, given) => {
    const { host, heights } = open();

    host.receive({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } });

    expect(heights).toEqual(given === undefined ? [] : [given]);
  });
});

interface Answer {
  readonly id?: number;
  readonly result?: object;
  readonly error?: object;
}

function open() {
  const sent: Answer[] = [];
  const called: unknown[] = [];
  const wishes: PageWish[] = [];
  const heights: number[] = [];
  let decide: (isAllowed: boolean) => void = () => undefined;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const host = new PageHost({
    shown: { args: { floor: 2 }, result: RESULT },
    context: { theme: 'dark' },
    send: (message) => void sent.push(message),
    callTool: async (name, args) => {
      if (name === 'fail') throw new Error('refused');
      called.push([name, args]);
      await released;
      return RESULT;
    },
    ask: (wish) => {
      wishes.push(wish);
      return new Promise((resolve) => (decide = resolve));
    },
    resize: (height) => void heights.push(height),
  });
  let last = 0;
  const ask = async (method: string, params: object): Promise<Answer> => {
    const id = ++last;
    host.receive({ jsonrpc: '2.0', id, method, params });
    for (;;) {
      const answer = sent.find((message) => message.id === id);
      if (answer) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    ...{ host, sent, called, wishes, heights, ask },
    decide: (isAllowed: boolean) => {
      decide(isAllowed);
    },
    release: () => {
      release();
    },
  };
}
