import {
  agent,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  InMemorySessionService,
  SessionService,
  FunctionTool,
  inject,
  LlmAgent,
  tool,
  type ToolContext,
} from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { newClient, serveTo, told } from './served.fixture.js';

const NUMBERS = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const;
const NOTHING = { type: 'object', properties: {}, additionalProperties: false } as const;

const CANNOT_ASK = 'The call needs the approval of a person, and the client cannot ask one.';

class Book {
  readonly entries: string[] = [];
}

class Calculator {
  constructor(@inject(Book) private readonly book: Book) {}

  @tool({ description: 'Adds.', parameters: NUMBERS, effect: 'read' })
  add({ a, b }: { a: number; b: number }): number {
    this.book.entries.push('add');
    return a + b;
  }

  @tool({ parameters: NOTHING, effect: 'destructive' })
  wipe(): { wiped: boolean } {
    this.book.entries.push('wipe');
    return { wiped: true };
  }

  @tool({ parameters: NOTHING })
  fail(): never {
    throw new Error('secret detail');
  }

  @tool({ parameters: NOTHING })
  async askName(_none: object, context: ToolContext): Promise<string> {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const { name } = await context.requestInput<{ name: string }>({ message: 'Your name?', schema });
    return `Hello ${name}.`;
  }

  @tool({ parameters: NOTHING })
  async *count(): AsyncGenerator<{ progress: number; total: number }, string> {
    for (const progress of [1, 2]) yield await Promise.resolve({ progress, total: 2 });
    return 'counted';
  }

  @tool({ parameters: NOTHING, auth: { scheme: { type: 'http', scheme: 'bearer' }, key: 'k' } })
  callOut(): string {
    return 'called';
  }

  @tool({ parameters: NOTHING })
  remember(_none: object, { state }: ToolContext): number {
    const seen = Number(state.get('seen') ?? 0) + 1;
    state.set('seen', seen);
    return seen;
  }
}

describe('a class served over MCP', () => {
  const book = new Book();
  const runner = {
    modules: [
      new ContainerModule(({ bind }) => {
        bind(Book).toConstantValue(book);
      }),
    ],
  };
  const confirming = (approve: unknown) => () => ({ action: 'accept', content: { approve } });

  it('lists its tools with their schemas and effects', async () => {
    const { client, close } = await serveTo(Calculator, {
      runner,
      name: 'calc',
      instructions: 'Count with it.',
    });

    const { tools } = await client.listTools();

    expect(tools.map(({ name }) => name)).toEqual([
      ...['add', 'wipe', 'fail', 'ask_name', 'count', 'call_out', 'remember'],
    ]);
    expect(tools[0]).toMatchObject({
      description: 'Adds.',
      inputSchema: NUMBERS,
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
    expect(tools[1]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect([client.getServerVersion()?.name, client.getInstructions()]).toEqual(['calc', 'Count with it.']);
    await close();
  });

  it.each([true, false, undefined])(
    'tells what reaches others as the tool says it: outside %p',
    async (outside) => {
      const traits = outside === undefined ? {} : { outside };
      const look = new FunctionTool({ name: 'look', description: '', ...traits, run: () => 'seen' });
      const { client, close } = await serveTo(look);

      const { tools } = await client.listTools();

      expect(tools[0]?.annotations?.openWorldHint).toBe(outside);
      await close();
    },
  );

  it.each<[string, object, unknown[]]>([
    ['add', { a: 1, b: 2 }, ['3']],
    ['add', { a: 'x', b: 2 }, ['error', expect.stringContaining('Invalid arguments for "add"')]],
    ['add', { a: 1, b: 2, c: 3 }, ['error', expect.stringContaining('Invalid arguments')]],
    ['nothing', {}, ['error', expect.stringContaining('There is no tool called "nothing"')]],
    ['fail', {}, ['error', expect.not.stringContaining('secret detail')]],
    ['call_out', {}, ['error', expect.stringContaining('needs a credential')]],
    ['wipe', {}, ['error', `tool call was rejected: ${CANNOT_ASK}`]],
  ])('answers %s with %j', async (name, args, expected) => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const { client, close } = await serveTo(Calculator, { runner });

    expect(told(await client.callTool({ name, arguments: { ...args } }))).toEqual(expected);
    await close();
    warn.mockRestore();
  });

  it.each<[string, (() => unknown) | undefined, boolean]>([
    ['a yes', confirming(true), true],
    ['a no', confirming(false), false],
    ['the text "true"', confirming('true'), false],
    ['an answer without a decision', () => ({ action: 'accept', content: {} }), false],
    ['a refusal', () => ({ action: 'decline' }), false],
    ['a closed dialog', () => ({ action: 'cancel' }), false],
    ['an error', () => Promise.reject(new Error('no')), false],
  ])('runs a destructive tool after %s of the client: only after a yes', async (_what, answer, isRun) => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    book.entries.length = 0;
    const { client, close } = await serveTo(Calculator, { runner }, answer);

    const { isError } = await client.callTool({ name: 'wipe', arguments: {} });

    expect([isError === true, book.entries]).toEqual([!isRun, isRun ? ['wipe'] : []]);
    await close();
    warn.mockRestore();
  });

  it('asks nobody where calls that need an approval are to be refused', async () => {
    const answer = jest.fn(confirming(true));
    const { client, close } = await serveTo(Calculator, { runner, confirm: 'refuse' }, answer);

    expect(told(await client.callTool({ name: 'wipe', arguments: {} }))[0]).toBe('error');
    expect(answer).not.toHaveBeenCalled();
    await close();
  });

  it('shows the user of the client the call that is to be approved', async () => {
    const asked: unknown[] = [];
    const { client, close } = await serveTo(Calculator, { runner }, ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    });

    await client.callTool({ name: 'wipe', arguments: {} });

    expect(asked).toEqual([expect.stringContaining('wipe')]);
    await close();
  });

  it('asks the user of the client for the input that a tool wants', async () => {
    const { client, close } = await serveTo(Calculator, { runner }, () => ({
      action: 'accept',
      content: { name: 'Ada' },
    }));

    expect(told(await client.callTool({ name: 'ask_name', arguments: {} }))).toEqual(['Hello Ada.']);
    await close();
  });

  it('tells a client of progress that asked for it', async () => {
    const { client, close } = await serveTo(Calculator, { runner });
    const progress: unknown[] = [];

    const result = await client.callTool(
      { name: 'count', arguments: {} },
      { onprogress: (said) => progress.push(said) },
    );

    expect([told(result), progress]).toEqual([
      ['counted'],
      [1, 2].map((one) => ({ progress: one, total: 2 })),
    ]);
    await close();
  });

  it('keeps the state of a client over its calls, and apart from that of others', async () => {
    const one = await serveTo(Calculator, { runner });
    const { serving } = one;
    const { InMemoryTransport } = await import('@modelcontextprotocol/client');
    const [there, here] = InMemoryTransport.createLinkedPair();
    await serving.connect(there);
    const other = newClient();
    await other.connect(here);
    const remember = { name: 'remember', arguments: {} };

    const results = [
      ...[await one.client.callTool(remember), await one.client.callTool(remember)],
      await other.callTool(remember),
    ];

    expect(results.map((result) => told(result)[0])).toEqual(['1', '2', '1']);
    await one.close();
  });

  it('passes a cancellation on to the tool', async () => {
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const aborted = new Promise<void>((resolve) => {
      const wait = new FunctionTool({
        name: 'wait',
        description: '',
        run: (_args, { signal }) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
          begun();
          return new Promise(() => undefined);
        },
      });
      void serveTo(wait).then(async ({ client, close }) => {
        const controller = new AbortController();
        const calling = client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal });
        calling.catch(() => undefined);
        await beginning;
        controller.abort();
        await aborted;
        await close();
      });
    });

    await expect(aborted).resolves.toBeUndefined();
  });

  it('declares no argument as a header, whose value it would have to compare', async () => {
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const parameters = { type: 'object', properties: { region } };
    const { client, close } = await serveTo(
      new FunctionTool({ name: 'find', description: 'Finds.', parameters, run: () => 'found' }),
    );

    const [tool] = (await client.listTools()).tools;

    expect(tool?.inputSchema.properties).toEqual({ region: { type: 'string' } });
    await close();
  });

  it('sends content of the protocol as it is', async () => {
    const content = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }];
    const draw = new FunctionTool({ name: 'draw', description: '', run: () => ({ content }) });
    const { client, close } = await serveTo([draw]);

    expect((await client.callTool({ name: 'draw', arguments: {} })).content).toEqual(content);
    await close();
  });

  it.each([
    ['nmae', 'there is no option nmae. Did you mean name?'],
    ['confirm', 'confirm is "maybe". Valid: elicit, refuse.'],
    ['http', 'http.host is "0.0.0.0", so others can reach the server, and there is no http.authenticate'],
  ])('refuses options that cannot be used: %s', async (name, message) => {
    const values: Record<string, unknown> = { confirm: 'maybe', http: { host: '0.0.0.0' } };

    await expect(serveTo(Calculator, { [name]: values[name] ?? 'x', runner })).rejects.toMatchObject({
      code: 'MCP_CONFIG_INVALID',
      message: expect.stringContaining(message) as unknown,
    });
  });
});

describe('an agent served over MCP', () => {
  it('is one tool, which takes a message and gives the answer', async () => {
    @agent({ name: 'concierge', description: 'Knows the house.', model: new ScriptedModel(says('At 8.')) })
    class Concierge extends LlmAgent {}
    const { client, close } = await serveTo(Concierge);

    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'concierge', arguments: { message: 'Breakfast?' } });

    expect(tools).toMatchObject([{ name: 'concierge', description: 'Knows the house.' }]);
    expect(told(answer)).toEqual(['At 8.']);
    expect(told(await client.callTool({ name: 'concierge', arguments: {} }))[0]).toBe('error');
    await close();
  });
});

describe('an agent served to a client that cannot ask its user', () => {
  const hello = { name: 'concierge', arguments: { message: 'Go.' } };

  it('reads why its call did not run, and that nobody rejected it', async () => {
    const wipe = new FunctionTool({ name: 'wipe', description: 'Wipes.', confirm: true, run: () => 'wiped' });
    const model = new ScriptedModel(callsTool('wipe', {}), says('It needs a person.'));
    const Concierge = defineAgent({ name: 'concierge', description: 'Wipes.', model, tools: [wipe] });
    const { client, close } = await serveTo(Concierge);

    expect(told(await client.callTool(hello))).toEqual(['It needs a person.']);

    const response = model.requests[1]?.contents.at(-1)?.parts?.[0]?.functionResponse?.response;
    expect(response).toEqual({ error: 'tool call was rejected', reason: CANNOT_ASK });
    await close();
  });

  it('is answered with what the agent waits for, if that is the result of a long-running tool', async () => {
    const order = new FunctionTool({
      ...{ name: 'order', description: 'Orders.', longRunning: true },
      run: () => ({ ticket: 'T-1' }),
    });
    const model = new ScriptedModel(callsTool('order', {}));
    const Concierge = defineAgent({ name: 'concierge', description: 'Orders.', model, tools: [order] });
    const { client, close } = await serveTo(Concierge);

    expect(told(await client.callTool(hello))).toEqual([
      'error',
      'The tool "order" has begun, and its result comes later. Nobody can be told of it over this connection.',
    ]);
    await close();
  });
});

describe('the conversations of clients', () => {
  const owner = { appName: 'calc', userId: 'ada' };
  const plus = new FunctionTool({
    name: 'plus',
    description: 'Adds one.',
    run: ({ a }) => Number(a ?? 1) + 1,
  });

  it('have calls without a model, which the log has as calls of the user over MCP', async () => {
    const { sessions, options } = stored();
    const { client, close } = await serveTo(plus, options);

    await client.callTool({ name: 'plus', arguments: {} });

    const [summary] = await sessions.listSessions(owner);
    const sessionId = summary?.id ?? '';
    const log = (await sessions.getSession({ ...owner, sessionId }))?.events ?? [];
    expect(log.map(({ author, content }) => [author, content?.parts?.[0]])).toEqual([
      ['user', { text: 'Call the tool "plus".' }],
      [
        'mcp_server',
        { functionCall: { id: expect.stringMatching(/^mcp-/) as unknown, name: 'plus', args: {} } },
      ],
      ['mcp_server', { functionResponse: expect.objectContaining({ response: { result: 2 } }) as unknown }],
    ]);
    expect(log.at(-1)?.customMetadata?.['adorn:caller']).toEqual({ by: 'ada', channel: 'mcp' });
    await close();
  });

  it('do not exist for a client that only lists the tools', async () => {
    const { sessions, options } = stored();
    const { client, close } = await serveTo(plus, options);

    expect((await client.listTools()).tools).toHaveLength(1);

    expect(await sessions.listSessions(owner)).toEqual([]);
    await close();
  });

  it('are deleted before the server has closed, also by a slow store', async () => {
    class SlowSessions extends InMemorySessionService {
      override async deleteSession(key: Parameters<SessionService['deleteSession']>[0]): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await super.deleteSession(key);
      }
    }
    const { sessions, options } = stored(new SlowSessions());
    const { client, close } = await serveTo(plus, options);
    await client.callTool({ name: 'plus', arguments: {} });

    await close();

    expect(await sessions.listSessions(owner)).toEqual([]);
  });

  it('are deleted by the next server where the process died, and those of others are kept', async () => {
    class OldClock extends Clock {
      now = (): number => 1_600_000_000;
    }
    const { sessions, options } = stored();
    const bind = new ContainerModule(({ bind: binding }) => {
      binding(SessionService).toConstantValue(sessions);
      binding(Clock).toConstantValue(new OldClock());
    });
    const Old = defineAgent({ name: 'old', model: null, tools: [plus] });
    const old = await createRunner(Old, { appName: 'calc', modules: [bind] });
    const left = 'mcp-6f1c1f5e-0d6b-4c1b-9d3e-0a1b2c3d4e5f';
    for (const sessionId of [left, left.replace('mcp-', 'mcp-call-'), 'mcp-own', 's1'])
      await old.call({ tool: 'plus', userId: 'ada', sessionId });

    const { close } = await serveTo(plus, options);
    await close();

    expect((await sessions.listSessions(owner)).map(({ id }) => id).sort()).toEqual(['mcp-own', 's1']);
  });
});

/** The options of a server whose conversations are kept in a store. */
function stored(sessions = new InMemorySessionService()) {
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
    }),
  ];
  return { sessions, options: { name: 'calc', userId: 'ada', runner: { modules } } };
}
