/** @isolated */
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import * as own from '../index.js';

type Core = typeof own;

const { agent, Container, createRunner, inject, InMemorySessionService, LlmAgent } = own;

/** The services of which a runner has exactly one. */
const BACKENDS = [
  'ArtifactService',
  'Clock',
  'CredentialService',
  'Embedder',
  'Logger',
  'MemoryService',
  'SessionService',
] as const;

const conversation = { userId: 'ada', sessionId: 's1' };

@agent({ description: '' })
class Clerk extends LlmAgent {}

describe('a runner that is given code of another copy of the package', () => {
  let other: Core;
  // Once: evaluating the package again takes a second or more.
  beforeAll(async () => {
    jest.resetModules();
    other = await import('../index.js');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** A module as a package builds it that has the other copy. */
  function binding(core: Core, name: (typeof BACKENDS)[number], service: unknown): own.ContainerModule {
    return new core.ContainerModule(({ bind }) => {
      bind(core[name] as unknown as symbol).toConstantValue(service);
    });
  }

  async function serviceOf(name: (typeof BACKENDS)[number], options: own.CreateRunnerOptions) {
    @agent({ description: '' })
    class Reader extends LlmAgent {
      @inject(own[name])
      readonly service!: unknown;
    }
    const runner = await createRunner(Reader, { model: new ScriptedModel(), ...options });
    return (runner.root.definition as Reader).service;
  }

  it.each(BACKENDS)('takes the %s of the last module, whichever copy each was built with', async (name) => {
    const [first, second] = [{}, {}];

    expect(
      await serviceOf(name, { modules: [binding(own, name, first), binding(other, name, second)] }),
    ).toBe(second);
    expect(
      await serviceOf(name, { modules: [binding(other, name, first), binding(own, name, second)] }),
    ).toBe(second);
  });

  it('keeps sessions in the backend of a storage that has the other copy', async () => {
    const sessions = new other.InMemorySessionService();
    const modules = [binding(other, 'SessionService', sessions)];
    const runner = await createRunner(Clerk, { model: new ScriptedModel(says('Hello.')), modules });

    await runner.run({ ...conversation, message: 'Hello?' });

    const session = await sessions.getSession({ appName: 'clerk', ...conversation });
    expect(session?.events).toHaveLength(2);
  });

  it('uses what a container binds to classes of the other copy, unless a module replaces it', async () => {
    const [outer, inner] = [{}, {}];
    const container = new other.Container();
    container.bind<unknown>(other.SessionService).toConstantValue(outer);

    expect(await serviceOf('SessionService', { container })).toBe(outer);
    expect(
      await serviceOf('SessionService', { container, modules: [binding(own, 'SessionService', inner)] }),
    ).toBe(inner);
  });

  it('refuses a container that binds a service under both copies', async () => {
    const container = new Container();
    container.bind<unknown>(other.SessionService).toConstantValue({});
    container.bind<unknown>(own.SessionService).toConstantValue({});

    await expect(createRunner(Clerk, { model: new ScriptedModel(), container })).rejects.toMatchObject({
      code: 'SERVICE_AMBIGUOUS',
    });
  });

  it('gives its services to code that asks for them by classes of the other copy', async () => {
    const sessions = new InMemorySessionService();
    let optional: unknown;
    class Store {
      constructor(@inject(other.SessionService) readonly sessions: own.SessionService) {}
    }
    const module = new other.ContainerModule(({ bind }) => {
      bind('lookup').toDynamicValue(async (context) => {
        optional = await context.getAsync(other.SessionService as unknown as symbol, { optional: true });
        return {};
      });
    });

    @agent({ description: '' })
    class Reader extends LlmAgent {
      @inject(Store) readonly store!: Store;
      @inject('lookup') readonly lookup!: unknown;
    }
    const runner = await createRunner(Reader, {
      model: new ScriptedModel(),
      modules: [binding(own, 'SessionService', sessions), module],
    });

    expect((runner.root.definition as Reader).store.sessions).toBe(sessions);
    expect(optional).toBe(sessions);
  });

  it('does not construct an abstract class of the other copy that is bound to nothing', async () => {
    @agent({ description: '' })
    class Reader extends LlmAgent {
      @inject(other.Embedder) readonly embedder!: unknown;
    }

    await expect(createRunner(Reader, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
    });
  });

  it('runs agents, tools, toolsets and plugins of the other copy', async () => {
    const called: string[] = [];
    const note = (name: string) =>
      new other.FunctionTool({
        name,
        description: '',
        parameters: { type: 'object', properties: {} },
        run: () => called.push(name),
      });
    class Watch extends other.Plugin {
      readonly name = 'watch';
      beforeRun(): void {
        called.push('plugin');
      }
    }
    const stays = other.withOptions(note('asks'), { confirm: () => 'Really?' });
    const Helper = other.defineAgent({
      name: 'helper',
      description: '',
      tools: [note('plain'), new other.StaticToolset([note('listed')]), stays],
    });

    const runner = await createRunner(other.workflow.sequence(Helper), {
      model: new ScriptedModel(callsTool('plain'), callsTool('listed'), callsTool('asks'), says('Done.')),
      plugins: [new Watch()],
    });
    const paused = await runner.run({ ...conversation, message: 'Go.' });

    expect(called).toEqual(['plugin', 'plain', 'listed']);
    expect(paused.pending).toMatchObject([{ kind: 'confirmation', hint: 'Really?' }]);

    const [request] = paused.pending;
    const ended = await runner.approve(request as own.PendingRequest, { by: 'grace', channel: 'test' });
    expect(ended).toMatchObject({ status: 'answered', text: 'Done.' });
    expect(called.at(-1)).toBe('asks');
  });

  it('refuses what an incompatible copy binds, in a module or a container', async () => {
    const copies = Reflect.get(globalThis, Symbol.for('adorn:copies')) as { version: string }[];
    jest.replaceProperty(copies.at(-1) as { version: string }, 'version', '0.0.9');
    const model = new ScriptedModel();
    const container = new Container();
    container.bind<unknown>(other.SessionService).toConstantValue({});

    const refused = {
      code: 'CORE_COPIES_INCOMPATIBLE',
      message: expect.stringContaining('SessionService of @adorn/core 0.0.9 ('),
    };
    await expect(createRunner(Clerk, { model, container })).rejects.toMatchObject(refused);
    await expect(
      createRunner(Clerk, { model, modules: [binding(other, 'SessionService', {})] }),
    ).rejects.toMatchObject(refused);

    class Store {
      constructor(@inject(other.SessionService) readonly sessions: unknown) {}
    }
    @agent({ description: '' })
    class Reader extends LlmAgent {
      @inject(Store) readonly store!: Store;
    }
    await expect(createRunner(Reader, { model })).rejects.toMatchObject(refused);
  });
});
