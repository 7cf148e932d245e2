import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  type InvocationContext,
  LlmAgent,
  tool,
} from '../index.js';

describe('an agent class', () => {
  it('may have members of any name but those of its callbacks, and nothing is assigned to its instance', async () => {
    @agent({ name: 'helper', description: 'Helps.' })
    class Helper extends LlmAgent {}
    @agent({ name: 'clerk', description: 'Sells.', subAgents: [Helper], instruction: 'Sell.' })
    class Clerk extends LlmAgent {
      readonly tools = ['hammer'];
      readonly path = '/var/lib';
      readonly name = 42;
      readonly model = 'T';
      readonly callbacks = new Set(['own']);
      readonly description = undefined;
      readonly requests = 0;
      readonly turn = 'left';
      readonly subAgents = 'none';
      readonly parentAgent = null;
      readonly transfer = false;
      readonly dispatcher = 'own';
      readonly toolsets = 'own';
      readonly invoke = 'own';

      @tool({ parameters: { type: 'object' } })
      look(): unknown {
        return { tools: this.tools, path: this.path, name: this.name };
      }

      override beforeAgent(): undefined {
        this.callbacks.add('called');
      }
    }
    const before = Object.entries(new Clerk());
    await using runner = await createRunner(Clerk, {
      model: new ScriptedModel(
        callsTool('look', {}),
        callsTool('transfer_to_agent', { agent_name: 'helper' }),
        says('Hello.'),
      ),
    });

    const { definition } = runner.root;
    expect(Object.entries(definition)).toEqual(before);
    expect(Reflect.ownKeys(definition)).toEqual(before.map(([key]) => key));
    const events = await eventsOf(runner.run({ message: 'Go.' }));

    expect(events.map(({ author }) => author)).toEqual(['clerk', 'clerk', 'clerk', 'clerk', 'helper']);
    expect(events[1]?.content?.parts?.[0]?.functionResponse?.response).toEqual({
      tools: ['hammer'],
      path: '/var/lib',
      name: 42,
    });
    expect((definition as Clerk).callbacks).toEqual(new Set(['own', 'called']));
    expect(Reflect.ownKeys(definition)).toEqual(before.map(([key]) => key));
  });

  it.each<[string, (context: InvocationContext) => unknown]>([
    ['invoke', (context) => context.invoke('leaf', 'text' as never)],
    ['invoke', (context) => context.invoke('leaf', { inptu: 'text' } as never)],
    ['invokeAll', (context) => context.invokeAll(['leaf'], { input: 'text' } as never)],
  ])('with a run of its own is refused options of %s that do not exist', async (method, invoke) => {
    const seen: unknown[] = [];
    @agent({ name: 'leaf', description: '' })
    class Leaf extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield context.event({ author: 'leaf' });
      }
    }
    @agent({ name: 'root', description: '', subAgents: [Leaf] })
    class Root extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        try {
          invoke(context);
        } catch (error) {
          seen.push(error);
        }
        yield context.event({ author: 'root' });
      }
    }
    await using runner = await createRunner(Root);

    await eventsOf(runner.run({ message: 'Go.' }));

    expect(seen).toMatchObject([
      { code: 'RUN_CONFIG_INVALID', message: expect.stringContaining(`context.${method}`) as string },
    ]);
  });

  it('with a run of its own is given its node: name, path, parent and children', async () => {
    const seen: unknown[] = [];
    @agent({ description: '' })
    class Leaf extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        const { path, parentAgent, definition } = context.agent;
        seen.push([path, parentAgent?.name, definition === this]);
        yield context.event({ author: context.agent.name });
      }
    }
    @agent({ description: '', subAgents: [Leaf] })
    class Left extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of context.agent.subAgents) yield* context.invoke(child);
      }
    }
    @agent({ description: '', subAgents: [Leaf, Left] })
    class Root extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of context.agent.subAgents) yield* context.invoke(child);
      }
    }
    await using runner = await createRunner(Root);

    await eventsOf(runner.run({ message: 'Go.' }));

    expect(seen).toEqual([
      ['root/leaf', 'root', true],
      ['root/left/leaf', 'left', true],
    ]);
  });
});
