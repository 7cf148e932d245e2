import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { inMemoryServices, SystemClock, type FunctionDeclaration } from '../backend.js';
import {
  agent,
  ArtifactService,
  Clock,
  Container,
  ContainerModule,
  createRunner,
  type CreateRunnerOptions,
  CredentialService,
  Embedder,
  FunctionTool,
  inject,
  InMemorySessionService,
  LlmAgent,
  Logger,
  MemoryService,
  Model,
  Plugin,
  SessionService,
  StaticToolset,
  Tool,
  tool,
  Toolset,
} from '../index.js';

describe('createRunner', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('names the application after the root agent, or as it is told', async () => {
    const model = new ScriptedModel();

    expect((await createRunner(Clerk, { model })).appName).toBe('clerk');
    expect((await createRunner(Clerk, { model, appName: 'shop' })).appName).toBe('shop');
  });

  it('refuses an option that does not exist, and suggests the one that was meant', async () => {
    const options = { apName: 'shop' } as CreateRunnerOptions;

    await expect(createRunner(Clerk, options)).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
      message:
        'createRunner: there is no option apName. Did you mean appName? ' +
        'Valid: appName, modules, container, plugins, model, config, compaction, context, retention.',
    });
  });

  it('refuses the name of a model, which only an agent may give', async () => {
    const options = { model: 'gemini-2.5-flash' } as unknown as CreateRunnerOptions;

    await expect(createRunner(Clerk, options)).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
      message:
        'createRunner: the model is "gemini-2.5-flash", which is not a Model. ' +
        'Pass an instance, such as new GeminiModel({ model }), or name the model in @agent({ model }).',
    });
  });

  it('uses the backends that modules bind, and its own for the rest', async () => {
    const sessions = new InMemorySessionService();
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(SessionService).toConstantValue(sessions);
        bind(Clock).toConstantValue({ now: () => 42 });
      }),
    ];
    const runner = await createRunner(Clerk, { model: new ScriptedModel(says('Hello.')), modules });

    const [event] = await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Hello?' }));

    expect(event?.timestamp).toBe(42);
    expect(runner.sessions).toBe(sessions);
  });

  it("uses the backends of the user's container", async () => {
    const sessions = new InMemorySessionService();
    const container = new Container();
    container.bind(SessionService).toConstantValue(sessions);

    const runner = await createRunner(Clerk, { model: new ScriptedModel(), container });

    expect(runner.sessions).toBe(sessions);
    expect(container.isBound(Clock)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['SessionService', SessionService],
    ['ArtifactService', ArtifactService],
    ['MemoryService', MemoryService],
    ['CredentialService', CredentialService],
    ['Clock', Clock],
    ['Logger', Logger],
    ['Embedder', Embedder],
  ])('takes the %s of the last module that binds one', async (_name, token) => {
    const dispose = jest.fn();
    const last = {};
    const first = new ContainerModule(async ({ bind }) => {
      await Promise.resolve();
      bind(token as symbol)
        .toDynamicValue(() => ({}))
        .inSingletonScope()
        .onDeactivation(dispose);
    });
    const second = new ContainerModule(({ bind }) => {
      bind(token as symbol).toConstantValue(last);
    });

    @agent({ description: '' })
    class Reader extends LlmAgent {
      @inject(token as symbol)
      readonly service!: unknown;
    }
    const runner = await createRunner(Reader, {
      model: new ScriptedModel(),
      modules: [first, second, inMemoryServices],
    });

    expect((runner.root.definition as Reader).service).toBe(last);
    await runner.close();
    expect(dispose).not.toHaveBeenCalled();
  });

  it('takes a backend of a module before that of the container, which it leaves alone', async () => {
    const [outer, first, last] = [1, 2, 3].map(() => new InMemorySessionService());
    const container = new Container();
    container.bind(SessionService).toConstantValue(outer as SessionService);
    const modules = [first, last].map(
      (sessions) =>
        new ContainerModule(({ bind }) => {
          bind(SessionService).toConstantValue(sessions as SessionService);
        }),
    );

    const runner = await createRunner(Clerk, { model: new ScriptedModel(), container, modules });

    expect(runner.sessions).toBe(last);
    expect(container.get(SessionService as unknown as symbol)).toBe(outer);
  });

  it('refuses a backend that one module binds twice, and any other service that two modules bind', async () => {
    const twice = (token: unknown) => () =>
      new ContainerModule(({ bind }) => {
        bind(token as symbol).toConstantValue({});
        if (token !== Model) bind(token as symbol).toConstantValue({});
      });
    const [clock, model] = [twice(Clock), twice(Model)];

    await expect(
      createRunner(Clerk, { model: new ScriptedModel(), modules: [clock()] }),
    ).rejects.toMatchObject({
      code: 'SERVICE_AMBIGUOUS',
      message:
        'createRunner needs Clock, but more than one binding of it applies. Bind it once, or replace the ' +
        'first binding: rebind(Clock).to(…).',
    });
    await expect(createRunner(Clerk, { modules: [model(), model()] })).rejects.toMatchObject({
      code: 'SERVICE_AMBIGUOUS',
    });
  });

  it('names what the container says in an error with a code', async () => {
    const stopped = new ContainerModule(async ({ onDeactivation, unbind }) => {
      onDeactivation(Clock, () => Promise.resolve());
      unbind(Clock);
    });
    const container = new Container();
    container.bind(Clock).toConstantValue(new SystemClock());
    void container.get(Clock as unknown as symbol);

    await expect(
      createRunner(Clerk, { model: new ScriptedModel(), modules: [stopped], container }),
    ).rejects.toMatchObject({ code: 'SERVICE_FAILED' });
  });

  it('names it also where the factory of a backend asks for what is bound twice', async () => {
    const twice = new ContainerModule(({ bind }) => {
      bind('pool').toConstantValue({});
      bind('pool').toConstantValue({});
      bind(SessionService)
        .toDynamicValue((context) => context.getAsync('pool'))
        .inSingletonScope();
    });

    await expect(createRunner(Clerk, { model: new ScriptedModel(), modules: [twice] })).rejects.toMatchObject(
      {
        code: 'SERVICE_FAILED',
        message: expect.stringContaining('Ambiguous bindings found for service: "pool"') as string,
      },
    );
  });

  it('waits for plugins, and names what one asks for and nobody bound', async () => {
    const created = jest.fn();
    class Audit extends Plugin {
      readonly name = 'audit';

      constructor(@inject('log') readonly log: unknown) {
        super();
        created(log);
      }
    }
    const plugin = new ContainerModule(({ bind }) => {
      bind(Plugin).to(Audit);
    });
    const late = new ContainerModule(({ bind }) => {
      bind('log').toDynamicValue(() => Promise.resolve('opened'));
    });

    await createRunner(Clerk, { model: new ScriptedModel(), modules: [plugin, late] });

    expect(created).toHaveBeenCalledWith('opened');
    await expect(
      createRunner(Clerk, { model: new ScriptedModel(), modules: [plugin] }),
    ).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message: expect.stringMatching(/^Audit needs log \(constructor parameter 1\)/) as unknown,
    });
  });

  it('waits for bindings that take their time', async () => {
    const sessions = new InMemorySessionService();
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(SessionService)
          .toDynamicValue(() => Promise.resolve(sessions))
          .inSingletonScope();
      }),
    ];

    expect((await createRunner(Clerk, { model: new ScriptedModel(), modules })).sessions).toBe(sessions);
  });

  it('takes the in-memory services as a module like any other', async () => {
    const runner = await createRunner(Clerk, {
      model: new ScriptedModel(says('Hello.')),
      modules: [inMemoryServices],
    });

    expect(await runner.ask('Hello?')).toBe('Hello.');
  });

  it('keeps the conversations of two runners apart', async () => {
    const [one, two] = await Promise.all(
      ['One.', 'Two.'].map((text) => createRunner(Clerk, { model: new ScriptedModel(says(text)) })),
    );
    await one?.ask('Hello?', { userId: 'ada', sessionId: 's1' });

    expect(
      await two?.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' }),
    ).toBeUndefined();
  });

  it('closes toolsets, the last one first, and what the container made when the runner is closed, whatever fails', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const closed: string[] = [];
    class Listed extends Toolset {
      constructor(private readonly name: string) {
        super();
      }

      listTools(): [] {
        return [];
      }

      override close(): Promise<void> {
        closed.push(this.name);
        return this.name === 'broken' ? Promise.reject(new Error('it was open')) : Promise.resolve();
      }
    }
    class Connection {
      @tool({ parameters: { type: 'object' } })
      query(): string {
        return 'row';
      }
    }
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(Connection)
          .toDynamicValue(() => new Connection())
          .inSingletonScope()
          .onDeactivation(() => void closed.push('connection'));
      }),
    ];
    @agent({
      description: '',
      tools: [new Listed('broken'), new Listed('fine'), new StaticToolset(), Connection],
    })
    class Holder extends LlmAgent {}
    const runner = await createRunner(Holder, { model: new ScriptedModel(), modules });

    await runner.close();
    await runner.close();

    expect(closed).toEqual(['fine', 'broken', 'connection']);
    expect(errors).toHaveBeenCalledTimes(1);
    expect(errors).toHaveBeenCalledWith(
      expect.stringMatching(/^adorn: a toolset failed while the runner was closed .*it was open/s),
    );
  });

  it("constructs the classes of tools and toolsets among an agent's tools, and closes the toolsets", async () => {
    const closed: string[] = [];
    class Store {
      readonly names = ['late_orders'];
    }
    class Reports extends Toolset {
      constructor(@inject(Store) private readonly store: Store) {
        super();
      }

      listTools(): Tool[] {
        return this.store.names.map((name) => new FunctionTool({ name, description: '', run: () => name }));
      }

      override close(): void {
        closed.push('reports');
      }
    }
    class Count extends Tool {
      readonly name = 'count';
      readonly description = '';

      constructor(@inject(Store) private readonly store: Store) {
        super();
      }

      declaration(): FunctionDeclaration {
        return { name: this.name, description: this.description };
      }

      run(): number {
        return this.store.names.length;
      }
    }
    @agent({ description: '', tools: [Reports, Count] })
    class Analyst extends LlmAgent {}
    const model = new ScriptedModel(callsTool('late_orders'), callsTool('count'), says('Done.'));
    const runner = await createRunner(Analyst, { model });

    const { events } = await runner.run({ message: 'Go.' });
    await runner.close();

    const responses = events.flatMap(({ functionResponses }) => functionResponses);
    expect(responses.map(({ response }) => response)).toEqual([{ result: 'late_orders' }, { result: 1 }]);
    expect(closed).toEqual(['reports']);
  });

  it('disposes of what was built in the reverse order of building, and one failure stops no other', async () => {
    const disposed: string[] = [];
    const modules = [
      new ContainerModule(({ bind }) => {
        bind('pool')
          .toDynamicValue(() => ({ size: 3 }))
          .inSingletonScope()
          .onDeactivation(() => void disposed.push('pool'));
        bind(Database)
          .toSelf()
          .inSingletonScope()
          .onDeactivation(() => {
            disposed.push('database');
            throw new Error('it was in use');
          });
      }),
    ];
    @agent({ description: '', tools: [Database] })
    class Holder extends LlmAgent {}
    const runner = await createRunner(Holder, { model: new ScriptedModel(), modules });

    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await runner.close().catch(() => undefined);

    expect(disposed).toEqual(['database', 'pool']);
  });
});

class Database {
  constructor(@inject('pool') readonly pool: unknown) {}

  @tool({ parameters: { type: 'object' } })
  query(): string {
    return 'row';
  }
}

@agent({ description: '' })
class Clerk extends LlmAgent {}
