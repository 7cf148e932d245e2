import { says, ScriptedModel } from '@adorn/testing';

import type { LlmAgentNode, ServiceToken } from '../../backend.js';
import {
  AdornError,
  agent,
  BaseAgent,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  Model,
  ModelProvider,
} from '../../index.js';

describe('the model of an agent', () => {
  it("is the one it states, else its parent's, else what is bound as Model", async () => {
    const [stated, bound] = [new ScriptedModel(), new ScriptedModel()];
    @agent({ description: '' })
    class Grandchild extends LlmAgent {}
    @agent({ description: '', model: stated, subAgents: [Grandchild] })
    class Child extends LlmAgent {}
    @agent({ description: '', subAgents: [Child] })
    class Root extends LlmAgent {}

    const { root } = await createRunner(Root, { modules: [binding(Model, bound)] });
    const [child] = root.subAgents;

    expect([root, child, child?.subAgents[0]].map((node) => (node as LlmAgentNode).model)).toEqual([
      bound,
      stated,
      stated,
    ]);
    expect((child as LlmAgentNode).model).toBe(stated);
  });

  it("is createRunner's for every agent where one is passed", async () => {
    const [forced, stated] = [new ScriptedModel(says('Forced.')), new ScriptedModel()];
    @agent({ description: '', model: stated })
    class Clerk extends LlmAgent {}

    expect(await (await createRunner(Clerk, { model: forced })).ask('Hello?')).toBe('Forced.');
  });

  it('is what is bound under the token it names', async () => {
    const bound = new ScriptedModel(says('Bound.'));
    const CHEAP = Symbol('cheap');
    @agent({ description: '', model: CHEAP })
    class Clerk extends LlmAgent {}

    const runner = await createRunner(Clerk, { modules: [binding(CHEAP, bound)] });

    expect(await runner.ask('Hello?')).toBe('Bound.');
  });

  it('is made of its name by the provider, once for all agents that name it', async () => {
    const made: string[] = [];
    class Provider extends ModelProvider {
      modelOf(name: string): Model | undefined {
        made.push(name);
        return new ScriptedModel();
      }
    }
    @agent({ description: '', model: 'm-1' })
    class One extends LlmAgent {}
    @agent({ description: '', model: 'm-2' })
    class Two extends LlmAgent {}
    @agent({ description: '', model: 'm-1', subAgents: [One, Two] })
    class Root extends LlmAgent {}

    const { root } = await createRunner(Root, { modules: [binding(ModelProvider, new Provider())] });

    expect(made).toEqual(['m-1', 'm-2']);
    expect((root.subAgents[0] as LlmAgentNode).model).toBe((root as LlmAgentNode).model);
  });

  it('is made ready when the runner is created, and what it lacks rejects there', async () => {
    class Keyless extends ScriptedModel {
      override ready(): Promise<void> {
        return Promise.reject(new Error('there is no key'));
      }
    }
    @agent({ description: '', model: new Keyless() })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toThrow('there is no key');
  });

  it('is missed where no agent above has one, and only by agents that talk to one', async () => {
    @agent({ description: '' })
    class Clerk extends LlmAgent {}
    @agent({ description: '', subAgents: [Clerk] })
    class Router extends BaseAgent {
      async *run(): AsyncGenerator<Event, void, undefined> {
        // It only stands above.
      }
    }

    await expect(createRunner(Router)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message:
        'Clerk has no model, and neither has any of its parents. Set one with @agent({ model: ' +
        "'gemini-2.5-flash' }), pass model to createRunner, or bind Model in a module.",
    });
  });

  it('is none of an agent that states null: its tools can be called, and a message fails', async () => {
    const ping = new FunctionTool({ name: 'ping', description: '', run: () => 'pong' });
    @agent({ description: '', model: null, tools: [ping] })
    class Clerk extends LlmAgent {}
    const runner = await createRunner(Clerk, { modules: [binding(Model, new ScriptedModel())] });

    const called = await runner.call({ tool: 'ping' });
    const { status, events } = await runner.run({ message: 'Hello?' });

    expect([called.output, status]).toEqual(['pong', 'failed']);
    expect(events.at(-1)).toMatchObject({
      errorCode: 'MODEL_MISSING',
      errorMessage:
        'Clerk has no model: it states model: null, so its tools can only be called with runner.call. ' +
        'Set a model to send it messages.',
    });
  });

  it('is looked up for the agents below one that states null, and replaced by that of createRunner', async () => {
    const [bound, forced] = [new ScriptedModel(), new ScriptedModel()];
    @agent({ description: '' })
    class Child extends LlmAgent {}
    @agent({ description: '', model: null, subAgents: [Child] })
    class Root extends LlmAgent {}

    const { root } = await createRunner(Root, { modules: [binding(Model, bound)] });
    const { root: other } = await createRunner(Root, { model: forced });

    expect((root.subAgents[0] as LlmAgentNode).model).toBe(bound);
    expect((other as LlmAgentNode).model).toBe(forced);
    await expect(createRunner(Root)).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  });

  it.each([
    ['gpt-5-mini', 'openai/gpt-5-mini'],
    ['o4-mini', 'openai/o4-mini'],
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['mistral-large-latest', 'mistral/mistral-large-latest'],
  ])('is suggested with its provider for %s', async (name, meant) => {
    @agent({ description: '', model: name })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringContaining(`Did you mean "${meant}"? Check the name, or pass a Model`) as unknown,
    });
  });

  it.each<[string, unknown]>([
    ['an object', { generate: () => undefined }],
    ['an object', { ready: () => undefined }],
    ['a number', 7],
    ['a list', ['gemini-2.5-flash']],
  ])('cannot be %s', async (kind, model) => {
    await expect(createRunner(defineAgent({ name: 'clerk', model: model as Model }))).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message:
        `@agent of clerk: its model is ${kind}, and neither a Model, nor a name or a token of one. ` +
        'Extend Model and pass an instance: class MyModel extends Model { … }.',
    });
  });

  it('may be of another copy of the package', async () => {
    const copied = new ScriptedModel(says('Copied.'));
    const model = {
      name: 'copied',
      ready: () => copied.ready(),
      generate: (...asked: Parameters<Model['generate']>) => copied.generate(...asked),
    };

    expect(await (await createRunner(defineAgent({ name: 'clerk', model: model as Model }))).ask('Hi.')).toBe(
      'Copied.',
    );
  });

  it.each<[string, unknown, object]>([
    ['a name that nobody provides', 'nonesuch-1', { code: 'MODEL_NOT_FOUND' }],
    ['a value that is none', 7, { code: 'AGENT_CONFIG_INVALID' }],
  ])(
    'is looked for when the runner is made also where it is asked besides: %s',
    async (_what, other, fault) => {
      @agent({ description: '', model: new ScriptedModel() })
      class Clerk extends LlmAgent {
        override readonly otherModels = [other as Model];
      }

      await expect(createRunner(Clerk)).rejects.toMatchObject(fault);
    },
  );

  it('is made ready with the runner also where it is asked besides', async () => {
    const ready: string[] = [];
    class Other extends ScriptedModel {
      override async ready() {
        ready.push('ready');
        return Promise.resolve();
      }
    }
    @agent({ description: '', model: new ScriptedModel() })
    class Clerk extends LlmAgent {
      override readonly otherModels = [new Other()];
    }

    await createRunner(Clerk);

    expect(ready).toEqual(['ready']);
  });

  it('is not found by a name that nobody provides', async () => {
    @agent({ description: '', model: 'nonesuch-1' })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message:
        'Clerk names the model "nonesuch-1", which no bound provider knows. Check the name, or pass a ' +
        'Model instead: @agent({ model: new MyModel() }).',
    });
  });

  it('is named together with its agent where it is a token that nobody bound', async () => {
    @agent({ description: '', model: Symbol('cheap') })
    class Clerk extends LlmAgent {}

    const error: unknown = await createRunner(Clerk).catch((reason: unknown) => reason);

    expect(AdornError.is(error)).toBe(true);
    expect(String(error)).toMatch(/Clerk.*Symbol\(cheap\)/);
  });
});

function binding(token: ServiceToken<unknown>, value: unknown): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(token as symbol).toConstantValue(value);
  });
}
