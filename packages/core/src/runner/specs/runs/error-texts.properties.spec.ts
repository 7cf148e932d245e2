import { callsTool, says, ScriptedModel } from '@adorn/testing';

import {
  BaseAgent,
  agent,
  type AgentClass,
  ContainerModule,
  createRunner,
  defineAgent,
  defineTool,
  Event,
  exportSession,
  InMemoryMemoryService,
  InMemorySessionService,
  type InvocationContext,
  loadMemory,
  Logger,
  MemoryService,
  Model,
  Plugin,
  SessionService,
  ToolError,
  Toolset,
} from '../../../index.js';

const SECRET = 'S3cret & Schlüssel=/+42';
const KEY = { appName: 'clerk', userId: 'ada', sessionId: 's1' };

/** How a text may hold a secret that the runner knows. */
const KNOWN: Readonly<Record<string, string>> = {
  plain: `sent ${SECRET}`,
  'encoded for a URL': `GET /x?q=${encodeURIComponent(SECRET)}`,
  'encoded for a form': new URLSearchParams({ q: SECRET }).toString(),
  'in base64': Buffer.from(SECRET).toString('base64'),
  'in base64url': Buffer.from(SECRET).toString('base64url'),
  'within other base64': Buffer.from(`user:${SECRET}:more`).toString('base64'),
  'escaped as JSON': JSON.stringify({ k: SECRET }),
};

/** What has the form of a credential, whoever knows it. Each holds CANARY. */
const FORMS: Readonly<Record<string, string>> = {
  'a key in a URL': 'fetch https://api.example/v1?key=CANARY0123456789CANARY failed',
  'a bearer token': 'Authorization: Bearer CANARY.0123456789.sig',
  'a key of a provider': 'Incorrect API key provided: sk-proj-CANARYcanary1234567890abcdef',
  'a connection string': 'connect postgres://adm:CANARY-pass@db/x',
  'a password': 'login with password=CANARY-12345',
};

const MARKS = [
  'CANARY',
  SECRET,
  encodeURIComponent(SECRET),
  new URLSearchParams([['', SECRET]]).toString().slice(1),
  Buffer.from(SECRET).toString('base64').slice(0, -4),
  Buffer.from(SECRET).toString('base64url').slice(0, -4),
  Buffer.from(`user:${SECRET}:more`).toString('base64').slice(10, 28),
  JSON.stringify(SECRET).slice(1, -1),
];

/** An agent in which something fails, and what is bound for it. */
interface Failing {
  readonly root: AgentClass<unknown>;
  readonly plugins?: Plugin[];
  readonly modules?: ContainerModule[];
}

/** What fails with a text, and the agent in which it does. */
const SOURCES: Readonly<Record<string, (text: string) => Failing>> = {
  'a model that throws': (text) => ({ root: asking(new ThrowingModel(text)) }),
  'a model that answers with an error': (text) => ({
    root: asking(new ScriptedModel({ errorCode: 'SAFETY', errorMessage: text })),
  }),
  'a tool that throws a ToolError': (text) => ({ root: calling(() => thrown(new ToolError(text))) }),
  'a tool whose errors are exposed': (text) => ({ root: calling(() => thrown(new Error(text))) }),
  'a tool whose error has a telling name': (text) => ({
    root: calling(() => thrown(Object.assign(new Error('x'), { name: text }))),
  }),
  'a toolset that lists its tools': (text) => ({ root: listing(text, false) }),
  'a toolset without which the run does not go on': (text) => ({ root: listing(text, true) }),
  'a memory service': (text) => ({
    root: defineAgent({
      name: 'clerk',
      model: new ScriptedModel(callsTool('load_memory', { query: 'x' }), says('ok')),
      tools: [loadMemory(), shop(() => 'ok')],
    }),
    modules: [
      new ContainerModule(({ bind }) => void bind(MemoryService).toConstantValue(new ThrowingMemory(text))),
    ],
  }),
  'a session service': (text) => ({
    root: asking(new ScriptedModel(says('ok'))),
    modules: [
      new ContainerModule(
        ({ bind }) => void bind(SessionService).toConstantValue(new ThrowingSessions(text)),
      ),
    ],
  }),
  'a callback before the model': (text) => ({
    root: asking(new ScriptedModel(says('ok'))),
    plugins: [new ThrowingPlugin('beforeModel', text)],
  }),
  'a callback before the agent': (text) => ({
    root: asking(new ScriptedModel(says('ok'))),
    plugins: [new ThrowingPlugin('beforeAgent', text)],
  }),
  'a callback after the tool': (text) => ({
    root: calling(() => 'ok'),
    plugins: [new ThrowingPlugin('afterTool', text)],
  }),
  'an agent that throws': (text) => ({ root: ownAgent(() => thrown(new Error(text))) }),
  'an agent that makes its own event': (text) => ({
    root: ownAgent(
      ({ invocationId }) =>
        new Event({ invocationId, author: 'clerk', errorCode: 'OWN', errorMessage: text }),
    ),
  }),
};

describe.each(Object.keys(SOURCES))('a secret in the error of %s', (source) => {
  it.each([...Object.entries(KNOWN), ...Object.entries(FORMS)])(
    'leaves by no exit: %s',
    async (_form, text) => {
      const exits = await exitsOf(SOURCES[source]?.(text) as Failing);

      for (const [exit, said] of Object.entries(exits)) {
        const found = MARKS.filter((mark) => said.includes(mark));
        expect([exit, found]).toEqual([exit, []]);
      }
      expect(exits['events'].length).toBeGreaterThan(2);
    },
  );
});

async function exitsOf({ root, plugins = [], modules = [] }: Failing) {
  const lines: string[] = [];
  const observed: string[] = [];
  const runner = await createRunner(root, {
    appName: 'clerk',
    plugins: [new Watcher(observed), ...plugins],
    modules: [
      new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(new Lines(lines))),
      ...modules,
    ],
  });
  const yielded: Event[] = [];
  try {
    for await (const event of runner.run({ userId: 'ada', sessionId: 's1', message: 'Go' }))
      yielded.push(event);
  } catch {
    // A run may reject in the same process, with the error as it was thrown.
  }
  const session = await runner.sessions.getSession(KEY);
  const exported: string[] = [];
  if (session) for await (const line of exportSession(runner.sessions, KEY)) exported.push(line);
  await runner.close();
  return {
    events: JSON.stringify(session?.events ?? []),
    stream: JSON.stringify(yielded),
    export: exported.join(),
    observers: observed.join(),
    log: lines.join(),
  };
}

const auth = {
  key: 'shop',
  scheme: { type: 'apiKey', in: 'header', name: 'k' },
  credential: { type: 'apiKey', apiKey: SECRET },
} as const;

function thrown(error: Error): never {
  throw error;
}

function shop(run: () => unknown) {
  return defineTool({
    name: 'shop',
    description: '',
    parameters: { type: 'object' },
    effect: 'read',
    exposeErrors: true,
    auth,
    run,
  });
}

/** An agent whose model fails. The runner knows the credential of its tool. */
function asking(model: Model): AgentClass<unknown> {
  return defineAgent({ name: 'clerk', model, tools: [shop(() => 'ok')] });
}

function calling(run: () => unknown): AgentClass<unknown> {
  const model = new ScriptedModel(callsTool('shop'), says('ok'), says('ok'));
  return defineAgent({ name: 'clerk', model, tools: [shop(run)] });
}

function listing(text: string, required: boolean): AgentClass<unknown> {
  const model = new ScriptedModel(says('ok'));
  return defineAgent({
    name: 'clerk',
    model,
    tools: [new ThrowingToolset(text, required), shop(() => 'ok')],
  });
}

function ownAgent(make: (context: InvocationContext) => Event): AgentClass<unknown> {
  const Child = asking(new ScriptedModel(says('ok')));
  @agent({ name: 'root', description: '', subAgents: [Child] })
  class Root extends BaseAgent<unknown> {
    override async *run(context: InvocationContext) {
      yield make(context);
    }
  }
  return Root;
}

class ThrowingModel extends Model {
  readonly name = 'throwing';

  constructor(private readonly text: string) {
    super();
  }

  // eslint-disable-next-line require-yield -- it fails
  override async *generate(): AsyncGenerator<never> {
    throw new Error(this.text);
  }
}

class ThrowingToolset extends Toolset {
  override readonly listing;

  constructor(
    private readonly text: string,
    required: boolean,
  ) {
    super();
    this.listing = { required };
  }

  override listTools(): never {
    throw new Error(this.text);
  }
}

class ThrowingMemory extends InMemoryMemoryService {
  constructor(private readonly text: string) {
    super();
  }

  override searchMemory(): never {
    throw new Error(this.text);
  }
}

/** Takes the message of the user, and fails with the answer. */
class ThrowingSessions extends InMemorySessionService {
  constructor(private readonly text: string) {
    super();
  }

  override appendEvent(...[session, event, fence]: Parameters<InMemorySessionService['appendEvent']>) {
    return event.author === 'user' ? super.appendEvent(session, event, fence) : thrown(new Error(this.text));
  }

  override appendEvents(...[session, events, fence]: Parameters<InMemorySessionService['appendEvents']>) {
    return events.every(({ author }) => author === 'user')
      ? super.appendEvents(session, events, fence)
      : thrown(new Error(this.text));
  }
}

class ThrowingPlugin extends Plugin {
  readonly name = 'throwing';

  constructor(hook: string, text: string) {
    super();
    Object.assign(this, { [hook]: () => thrown(new Error(text)) });
  }
}

/** Writes down what observers are shown of failures. */
class Watcher extends Plugin {
  readonly name = 'watcher';

  constructor(private readonly seen: string[]) {
    super();
  }

  override observe() {
    return {
      within: (work: () => void) => {
        work();
      },
      note: (fact: object) => this.see(fact),
      end: (end: object) => this.see(end),
    };
  }

  private see(told: object): void {
    const { error, ...rest } = told as { error?: Partial<Error> };
    this.seen.push(JSON.stringify(rest), String(error?.name), String(error?.message), String(error?.stack));
  }
}

class Lines extends Logger {
  constructor(private readonly lines: string[]) {
    super();
  }

  private write(...line: unknown[]): void {
    for (const one of line) this.lines.push(JSON.stringify(one, errors));
  }

  override debug = (...line: unknown[]) => this.write(...line);
  override info = (...line: unknown[]) => this.write(...line);
  override warn = (...line: unknown[]) => this.write(...line);
  override error = (...line: unknown[]) => this.write(...line);
}

function errors(_name: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
