import { callsFunctions, failsWith, type ModelEmulator, saysText } from '@adorn/testing';
import type { FunctionDeclaration } from '@adorn/core/backend';
import { ConsoleLogger, type Content, createRunner, defineAgent, defineTool, StaticToolset } from 'adorn';

import { AiSdkModel } from './ai-sdk.model.js';
import { RecordingServer, VENDORS, type Vendor } from './vendors.fixture.js';
import { ask, NoWaiting, type TestedWire, WIRES } from './wires.fixture.js';

/** What the vendors publish about the names of tools. */
const PUBLISHED_NAMES: Readonly<Record<string, RegExp>> = {
  Google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};
const COMMON_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const NAMES = ['gmail.send', 'gmail:send', 'gmail_send', 'look', `a.${'b'.repeat(62)}`];

function tool(name: string, run: () => unknown = () => 1): ReturnType<typeof defineTool> {
  return defineTool({ name, description: 'Does it.', parameters: { type: 'object', properties: {} }, run });
}

describe('names of tools', () => {
  it.each(VENDORS)('are sent in the form that $name accepts, each tool with its own', async (vendor) => {
    const form = PUBLISHED_NAMES[vendor.name] ?? COMMON_NAME;
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: ['gmail.send', 'no such tool!'].map((name) => ({ functionCall: { name, args: {} } })),
      },
      {
        role: 'user',
        parts: ['gmail.send', 'no such tool!'].map((name) => ({ functionResponse: { name, response: {} } })),
      },
    ];
    const functionDeclarations = NAMES.map((name) => ({ name, parametersJsonSchema: { type: 'object' } }));

    const sent = namesIn(await bodyOf(vendor, { contents, config: { tools: [{ functionDeclarations }] } }));

    expect(new Set(sent).size).toBe(NAMES.length + 1);
    for (const name of sent) expect(name).toMatch(form);
    expect(sent).toEqual(expect.arrayContaining(['gmail_send', 'look']));
  });

  it.each(WIRES)(
    'lead back to the tools in calls of $name, streamed or not, over several turns',
    async (wire) => {
      for (const streaming of ['none', 'sse'] as const) {
        const ran: string[] = [];
        const tools = NAMES.map((name) => tool(name, () => ran.push(name)));
        await using talk = await conversation(wire, [new StaticToolset(tools)]);
        await talk.say({ streaming });
        await talk.say({ streaming });

        expect(ran).toEqual([...NAMES, ...NAMES]);
        const [first, ...later] = talk.server.requests.map(({ body }) => namesIn(body));
        for (const names of later) expect(new Set(names)).toEqual(new Set(first));
        expect(talk.events.flatMap(({ functionCalls }) => functionCalls.map(({ name }) => name))).toEqual(
          ran,
        );
      }
    },
  );

  it('are kept apart where a tool has the name that another one would be sent with', async () => {
    const [wire] = WIRES;
    if (!wire) throw new TypeError('There is no wire.');
    await using alone = await conversation(wire, [tool('gmail.send')]);
    await alone.say({});
    const [taken = ''] = namesIn(alone.server.requests[0]?.body);
    const ran: string[] = [];
    const names = ['gmail.send', taken];
    await using talk = await conversation(
      wire,
      names.map((name) => tool(name, () => ran.push(name))),
    );
    await talk.say({});

    expect(ran).toEqual(names);
  });

  it('are the original ones in errors of the provider', async () => {
    const [wire] = WIRES;
    if (!wire) throw new TypeError('There is no wire.');
    await using server = await wire.start(({ body }) =>
      failsWith(400, { message: `Invalid schema for function '${namesIn(body)[0] ?? ''}'.` }),
    );
    const model = new AiSdkModel(wire.model(server.url), {}, new NoWaiting());
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool('gmail.send')] }), {
      model,
    });

    await expect(runner.ask('Go')).rejects.toThrow("Invalid schema for function 'gmail.send'.");
  });
});

const BLANKS = ['', '\n\n', ' \t', '\u200b'];

/** Vendors that refuse blank texts, and a conversation that does not begin with the user. */
const STRICT = VENDORS.filter(({ name }) => ['Anthropic', 'Bedrock'].includes(name));

describe('limits of declarations', () => {
  const long = { ...declaration('long.name'), description: 'x'.repeat(1025) };
  const many = Array.from({ length: 129 }, (_, index) => declaration(`tool_${String(index)}`));

  it.each([
    ['OpenAI', many, ['there are 129 tools, and the provider publishes a limit of 128']],
    ['OpenAI', [long], []],
    [
      'OpenAI chat',
      [...many, long],
      ['there are 130 tools', 'the description of "long.name" has 1025 of at most 1024'],
    ],
    ['Groq', many, ['there are 129 tools']],
    ['Anthropic', [...many, long], []],
  ])(
    'are told in warnings of %s, with the names of the tools',
    async (name, functionDeclarations, expected) => {
      const vendor = VENDORS.find((one) => one.name === name);
      if (!vendor) throw new TypeError(`There is no vendor ${name}.`);
      const told: string[] = [];
      const logger = new (class extends ConsoleLogger {
        override warn(_message: string, facts: { readonly warning?: string } = {}): void {
          told.push(facts.warning ?? '');
        }
      })();
      for (let count = 0; count < 2; count += 1)
        await bodyOf(vendor, { config: { tools: [{ functionDeclarations }] }, logger });

      expect(told).toEqual([...expected, ...expected].map((text) => expect.stringContaining(text) as string));
    },
  );
});

function declaration(name: string): FunctionDeclaration {
  return { name, parametersJsonSchema: { type: 'object', properties: {} } };
}

describe('blank texts', () => {
  it.each(VENDORS)('are not sent to $name, and something stands where nothing is left', async (vendor) => {
    for (const text of BLANKS) {
      const call = { functionCall: { name: 'look', args: {} } };
      const contents: Content[] = [
        { role: 'user', parts: [{ text }] },
        { role: 'model', parts: [{ text }, call] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { a: 1 } } }, { text }] },
        { role: 'model', parts: [{ text }] },
        { role: 'user', parts: [{ text: 'Hello' }, { text }] },
      ];
      const body = JSON.stringify(await bodyOf(vendor, { contents, config: { systemInstruction: text } }));

      expect(body).toContain('(empty message)');
      expect(body).not.toMatch(/"text":"(?:\\n|\\t|\s|\u200b)*"|"content":"(?:\\n|\\t|\s|\u200b)+"/);
    }
  });

  it.each(VENDORS)('are not left as thoughts alone in a message to $name', async (vendor) => {
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ text: 'SECRET', thought: true, ...signedBy(vendor) }, { text: '\n' }] },
      { role: 'user', parts: [{ text: 'Go on' }] },
    ];

    expect(JSON.stringify(await bodyOf(vendor, { contents }))).not.toContain('SECRET');
  });
});

describe('the first message', () => {
  it.each(STRICT)('is one of the user for $name', async (vendor) => {
    const contents: Content[] = [
      { role: 'model', parts: [{ text: 'Welcome!' }] },
      { role: 'user', parts: [{ text: 'Hello' }] },
    ];

    const { messages } = (await bodyOf(vendor, { contents })) as { messages: { role: string }[] };

    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
});

function signedBy({ provider, modelId }: Vendor): object {
  const metadata = { anthropic: { signature: 'c2ln' }, bedrock: { signature: 'c2ln' } };
  const family = modelId.includes('claude') ? 'claude' : 'gpt';
  const [name = ''] = provider.split('.');
  return { partMetadata: { aiSdk: metadata, aiSdkMaker: `${name} ${family}` } };
}

async function bodyOf(vendor: Vendor, fields: Parameters<typeof ask>[1]): Promise<object> {
  await using server = await RecordingServer.start();
  const model = new AiSdkModel(vendor.model(server.url), { retry: { attempts: 1 } }, new NoWaiting());
  await ask(model, fields).catch(() => undefined);
  return JSON.parse(server.bodies[0] ?? '{}') as object;
}

/** The names of tools in a body, once each: of declarations, and of calls and responses. */
function namesIn(body: unknown): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, key: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { name, type } = value as { name?: unknown; type?: unknown };
    const isNamed = NAMED.has(key) || type === 'function' || type === 'function_call' || type === 'tool_use';
    if (isNamed && typeof name === 'string') found.add(name);
    for (const [field, one] of Object.entries(value)) visit(one, Array.isArray(value) ? key : field);
  };
  visit(body, '');
  return [...found];
}

const NAMED = new Set([
  'function',
  'tools',
  'toolSpec',
  'toolUse',
  'functionCall',
  'functionResponse',
  'functionDeclarations',
]);

interface Talk extends AsyncDisposable {
  readonly server: ModelEmulator;
  readonly events: Awaited<ReturnType<Awaited<ReturnType<typeof createRunner>>['run']>>['events'][number][];
  readonly say: (config: object) => Promise<void>;
}

/** A conversation in which the model calls each tool that it is offered, by the name it is offered under. */
async function conversation(wire: TestedWire, tools: readonly object[]): Promise<Talk> {
  const server = await wire.start(({ body }) => {
    if (endsWithResults(body)) return saysText('Called.');
    const offered = namesIn({ tools: (body as { tools?: unknown }).tools });
    return callsFunctions(...offered.map((name) => ({ name })));
  });
  const model = new AiSdkModel(wire.model(server.url), {}, new NoWaiting());
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: tools as never }), { model });
  const events: Talk['events'] = [];
  return {
    server,
    events,
    say: async (config) => {
      const run = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Go', config });
      events.push(...run.events.filter(({ partial }) => !partial));
    },
    [Symbol.asyncDispose]: async () => {
      await runner.close();
      await server.close();
    },
  };
}

function endsWithResults(body: object): boolean {
  const { messages, input } = body as { messages?: object[]; input?: object[] };
  const last = JSON.stringify((messages ?? input ?? []).at(-1));
  return /"role":"tool"|"tool_result"|"function_call_output"/.test(last);
}
