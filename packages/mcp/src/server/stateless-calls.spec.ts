import {
  ContainerModule,
  FunctionTool,
  InMemorySessionService,
  SessionService,
  type Tool,
} from '@adorn/core';

import { type McpServing, serveMcp } from './serve-mcp.js';
import type { ServeMcpOptions } from './serve-options.js';

const KEY = 'a key of more than thirty-two bytes, for specs';
const APPROVE = { confirmation: { action: 'accept', content: { approve: true } } };
const INVALID = { code: -32_602, message: 'Invalid or expired requestState' };

let ran: unknown[] = [];

function tools(): Tool[] {
  const parameters = { type: 'object', properties: { id: { type: 'string' } } } as const;
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  return [
    new FunctionTool({
      ...{ name: 'wipe', description: 'Wipes.', parameters, confirm: true },
      run: ({ id }) => ran.push(id) && `wiped ${String(id)}`,
    }),
    new FunctionTool({
      ...{ name: 'drop', description: 'Drops.', parameters, confirm: true },
      run: ({ id }) => ran.push(id) && `dropped ${String(id)}`,
    }),
    new FunctionTool({
      ...{ name: 'greet', description: 'Greets.', parameters, confirm: true },
      run: async (_args, context) => {
        const { name } = await context.requestInput<{ name: string }>({ message: 'Your name?', schema });
        return `Hello ${name}.`;
      },
    }),
    new FunctionTool({
      ...{ name: 'order', description: 'Orders.', longRunning: true },
      run: () => ({ ticket: 'T-1' }),
    }),
  ];
}

describe('a call of a client without a session', () => {
  beforeEach(() => (ran = []));

  it('ends with the question and a state, and goes on with both', async () => {
    await using server = await serve();

    const asked = await server.call('wipe', { id: 'a' });
    const done = await server.call('wipe', { id: 'a' }, { state: asked.requestState, answers: APPROVE });

    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { confirmation: { method: 'elicitation/create' } },
    });
    expect([textOf(done), ran]).toEqual(['wiped a', ['a']]);
    expect(await server.conversations()).toEqual([]);
  });

  it('goes on in another process that has the key and the store', async () => {
    const sessions = new InMemorySessionService();
    await using first = await serve({ stateKey: KEY }, sessions);
    await using second = await serve({ stateKey: KEY }, sessions);

    const asked = await first.call('wipe', { id: 'a' });
    const done = await second.call('wipe', { id: 'a' }, { state: asked.requestState, answers: APPROVE });

    expect([textOf(done), ran]).toEqual(['wiped a', ['a']]);
  });

  it('asks again for what comes next, and for an answer that is missing or does not fit', async () => {
    await using server = await serve();
    const first = await server.call('greet', {});
    const missing = await server.call('greet', {}, { state: first.requestState });
    const second = await server.call('greet', {}, { state: missing.requestState, answers: APPROVE });
    const wrong = { input: { action: 'accept', content: { nmae: 'Ada' } } };
    const third = await server.call('greet', {}, { state: second.requestState, answers: wrong });
    const right = { input: { action: 'accept', content: { name: 'Ada' } } };
    const done = await server.call('greet', {}, { state: third.requestState, answers: right });

    expect(
      [first, missing, second, third].map(({ inputRequests }) => Object.keys(inputRequests ?? {})),
    ).toEqual([...[['confirmation'], ['confirmation'], ['input'], ['input']]]);
    expect(textOf(done)).toBe('Hello Ada.');
    expect(await server.conversations()).toEqual([]);
  });

  it.each<[string, object]>([
    ['a no', { confirmation: { action: 'decline' } }],
    ['a closed dialog', { confirmation: { action: 'cancel' } }],
    ['the text "true"', { confirmation: { action: 'accept', content: { approve: 'true' } } }],
  ])('is refused after %s', async (_what, answers) => {
    await using server = await serve();
    const { requestState: state } = await server.call('wipe', { id: 'a' });

    const done = await server.call('wipe', { id: 'a' }, { state, answers });

    expect([done.isError, textOf(done), ran]).toEqual([
      true,
      'tool call was rejected: The user said no.',
      [],
    ]);
    expect(await server.conversations()).toEqual([]);
  });

  it('is refused at once for a client that cannot ask, or where nobody is to be asked', async () => {
    await using server = await serve();
    await using refusing = await serve({ confirm: 'refuse' });

    const results = [
      await server.call('wipe', { id: 'a' }, { capabilities: {} }),
      await server.call('wipe', { id: 'a' }, { capabilities: { elicitation: { url: {} } } }),
      await refusing.call('wipe', { id: 'a' }),
    ];

    expect(results.map(textOf)).toEqual(
      results.map(() => expect.stringContaining('the client cannot ask one') as unknown),
    );
    expect([await server.conversations(), await refusing.conversations()]).toEqual([[], []]);
  });

  it('keeps the conversation of a result that comes later', async () => {
    await using server = await serve();

    expect(textOf(await server.call('order', {}))).toBe('{"ticket":"T-1"}');
    expect(await server.conversations()).toHaveLength(1);
  });

  describe('is refused, and does not run, with a state', () => {
    const attacks: [string, (server: Served, state: string) => Promise<Answer>][] = [
      ['that is forged', (server, state) => server.retry('wipe', { id: 'a' }, forged(state))],
      [
        'whose signature is cut off',
        (server, state) => server.retry('wipe', { id: 'a' }, state.slice(0, -9)),
      ],
      ['that is no state', (server) => server.retry('wipe', { id: 'a' }, 'hello')],
      ['of another user', (server, state) => server.retry('wipe', { id: 'a' }, state, 'eve')],
      ['of another tool', (server, state) => server.retry('drop', { id: 'a' }, state)],
      ['of other arguments', (server, state) => server.retry('wipe', { id: 'b' }, state)],
      [
        'of another key',
        async (_server, state) => {
          await using other = await serve({ stateKey: `${KEY}!` });
          return await other.retry('wipe', { id: 'a' }, state);
        },
      ],
      [
        'of another store',
        async (_server, state) => {
          await using other = await serve({ stateKey: KEY });
          return await other.retry('wipe', { id: 'a' }, state);
        },
      ],
    ];
    it.each(attacks)('%s', async (_what, attack) => {
      await using server = await serve({ stateKey: KEY });
      const { requestState = '' } = await server.call('wipe', { id: 'a' });

      expect((await attack(server, requestState)).error).toMatchObject(INVALID);
      expect(ran).toEqual([]);
      // It waits as before.
      expect(textOf(await server.retry('wipe', { id: 'a' }, requestState))).toBe('wiped a');
    });

    it('that was used, also twice at the same time', async () => {
      await using server = await serve();
      const { requestState = '' } = await server.call('wipe', { id: 'a' });

      const both = await Promise.all([1, 2].map(() => server.retry('wipe', { id: 'a' }, requestState)));
      const later = await server.retry('wipe', { id: 'a' }, requestState);

      expect(both.map(({ error }) => error?.code).sort()).toEqual([-32_602, undefined]);
      expect(later.error).toMatchObject(INVALID);
      expect(ran).toEqual(['a']);
      expect(await server.conversations()).toEqual([]);
    });

    it('that has expired', async () => {
      await using server = await serve({ answerTimeout: 1_000 });
      const { requestState = '' } = await server.call('wipe', { id: 'a' });
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_000);

      const late = await server.retry('wipe', { id: 'a' }, requestState);
      now.mockRestore();

      expect([late.error, ran]).toMatchObject([INVALID, []]);
    });
  });

  it('warns once, where conversations are stored beyond the process, that there is no key', async () => {
    abstract class Stored extends SessionService {}
    const inner = new InMemorySessionService();
    const stored = new Proxy(Object.create(Stored.prototype) as SessionService, {
      get: (target, name) => {
        const value: unknown = Reflect.get(name in inner ? inner : target, name);
        return typeof value === 'function' ? (value.bind(inner) as unknown) : value;
      },
    });
    const warn = jest.fn();
    const logger = { debug: jest.fn(), info: jest.fn(), warn, error: jest.fn() };
    await using server = await serve({ logger }, stored);
    await using keyed = await serve({ logger, stateKey: KEY }, stored);

    await keyed.call('wipe', { id: 'a' });
    expect(warn).not.toHaveBeenCalled();
    await server.call('wipe', { id: 'a' });
    await server.call('wipe', { id: 'b' });

    expect(warn.mock.calls).toEqual([[expect.stringContaining('serveMcp has no stateKey')]]);
  });

  it.each(['short', 7, new Uint8Array(31)])('refuses the key %p', async (stateKey) => {
    await expect(serve({ stateKey: stateKey as string })).rejects.toMatchObject({
      code: 'MCP_CONFIG_INVALID',
    });
  });
});

describe('a client without a session', () => {
  it('is told of changes on its subscription', async () => {
    await using server = await serve({ resources: [{ uri: 'a://b', name: 'b', read: () => 'b' }] });
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['a://b'] };
    const controller = new AbortController();
    const response = await server.send(
      'subscriptions/listen',
      { notifications },
      { signal: controller.signal },
    );
    const frames = framesOf(response);

    const methods = [(await frames.next()).value?.method];
    await server.serving.toolsChanged();
    methods.push((await frames.next()).value?.method);
    await server.serving.resourceChanged('a://b');
    methods.push((await frames.next()).value?.method);
    controller.abort();

    expect(methods).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
  });
});

interface Answer {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Retry {
  readonly state?: string | undefined;
  readonly answers?: object;
  readonly capabilities?: object;
  readonly user?: string;
  readonly signal?: AbortSignal;
}

type Served = Awaited<ReturnType<typeof serve>>;

/** A server, and a client that speaks the revision 2026-07-28. */
async function serve(options: ServeMcpOptions = {}, sessions: SessionService = new InMemorySessionService()) {
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
    }),
  ];
  const authenticate = ({ headers }: { headers: object }) => (headers as { user?: string }).user;
  const serving: McpServing = await serveMcp(tools(), {
    ...{ name: 'app', runner: { modules }, http: { authenticate } },
    ...options,
  });
  const send = (method: string, params: object, { capabilities, user = 'ada', signal }: Retry = {}) =>
    fetch(serving.url ?? '', {
      method: 'POST',
      signal: signal ?? null,
      headers: {
        ...{ user, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
        ...('name' in params && { 'mcp-name': String(params.name) }),
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method },
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': capabilities ?? { elicitation: { form: {} } },
          },
        },
      }),
    });
  const call = async (
    name: string,
    args: object,
    { state, answers, ...retry }: Retry = {},
  ): Promise<Answer> => {
    const more = { ...(state && { requestState: state }), ...(answers && { inputResponses: answers }) };
    const response = await send('tools/call', { name, arguments: args, ...more }, retry);
    const { result, error } = (await response.json()) as { result?: Answer; error?: Answer['error'] };
    return { ...result, ...(error && { error }) };
  };
  return {
    ...{ serving, send, call },
    retry: (name: string, args: object, state: string, user?: string) =>
      call(name, args, { state, answers: APPROVE, ...(user && { user }) }),
    conversations: async () => {
      const lists = ['ada', 'eve'].map((userId) => sessions.listSessions({ appName: 'app', userId }));
      return (await Promise.all(lists)).flat();
    },
    [Symbol.asyncDispose]: () => serving.close(),
  };
}

function textOf({ content }: Answer): string | undefined {
  return content?.[0]?.text;
}

/** The state with a later expiry. */
function forged(state: string): string {
  const [version, body = '', mac] = state.split('.');
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as { exp: number };
  payload.exp += 1_000;
  return [version, Buffer.from(JSON.stringify(payload)).toString('base64url'), mac].join('.');
}

async function* framesOf({ body }: Response): AsyncGenerator<{ method?: string }, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text
        .slice(0, end)
        .split('\n')
        .find((line) => line.startsWith('data:'));
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data.slice(5)) as { method?: string };
    }
  }
  return undefined;
}
