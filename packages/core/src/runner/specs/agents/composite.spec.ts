import { ContainerModule } from 'inversify';

import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  Model,
  type ModelResponse,
  type Runner,
  SessionService,
} from '../../../index.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('a composite whose sub-agent pauses', () => {
  it('goes on with the steps behind it once the answer is there', async () => {
    const { runner, model, ran } = await start(
      says('Drafted.'),
      callsTool('publish'),
      says('Published.'),
      says('Told.'),
    );
    const before = await say(runner);

    const after = await approve(runner);

    expect(before.map(pathAndText)).toEqual([
      ['pipeline/draft', 'Drafted.'],
      ['pipeline/release', 'call publish'],
      ['pipeline/release', 'call adk_request_confirmation'],
      ['pipeline/release', 'response publish'],
    ]);
    expect(after.map(pathAndText)).toEqual([
      ['pipeline/release', 'response publish'],
      ['pipeline/release', 'Published.'],
      ['pipeline/tell', 'Told.'],
      ['pipeline', 'Drafted. Published. Told.'],
    ]);
    expect([ran, model.requests.length]).toEqual([['publish'], 4]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('says where it waits', async () => {
    const { runner } = await start(says('Drafted.'), callsTool('publish'));
    await say(runner);

    expect((await runner.pending(address)).map(({ path }) => path)).toEqual(['pipeline/release']);
  });

  it('says in its result what it waits for, and not what an earlier run waits for', async () => {
    const { runner } = await start(
      ...[says('Drafted.'), callsTool('publish')],
      ...[says('Drafted again.'), callsTool('publish')],
    );
    const first = await runner.run({ ...address, message: 'Release it.' });

    const second = await runner.run({ ...address, message: 'Release it.' });

    expect([first, second].map(({ pending }) => pending.length)).toEqual([1, 1]);
    expect(second.pending[0]?.id).not.toBe(first.pending[0]?.id);
  });

  it('hears the next message itself, from its top', async () => {
    const { runner } = await start(
      ...[says('Drafted.'), says('Released.'), says('Told.')],
      ...[says('Drafted again.'), says('Released again.'), says('Told again.')],
    );
    await say(runner);

    const events = await say(runner);

    expect(events.map(pathAndText).at(0)).toEqual(['pipeline/draft', 'Drafted again.']);
    expect(events.at(-1)?.text).toBe('Drafted again. Released again. Told again.');
  });

  it('goes on in another runner over the same sessions', async () => {
    const sessions = new InMemorySessionService();
    const first = await start(sessions, says('Drafted.'), callsTool('publish'));
    await say(first.runner);
    await first.runner.close();
    const second = await start(sessions, says('Published.'), says('Told.'));

    const events = await approve(second.runner);

    expect([events.at(-1)?.text, second.ran]).toEqual(['Drafted. Published. Told.', ['publish']]);
  });
});

describe('an agent with a run of its own', () => {
  it('gets the result of a sub-agent: its text, its parsed output, or why it failed', async () => {
    interface City {
      readonly city: string;
    }
    const outputSchema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    } as const;
    @agent({ name: 'find', description: '', outputSchema })
    class Find extends LlmAgent<City> {}
    @agent({ name: 'breaks', description: '' })
    class Breaks extends BaseAgent {
      // eslint-disable-next-line require-yield -- it throws before it says anything
      async *run(): AsyncGenerator<Event, void, undefined> {
        await Promise.resolve();
        throw new TypeError('No paper.');
      }
    }
    const seen: unknown[] = [];
    @agent({ name: 'top', description: '', subAgents: [Find, Breaks] })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        const { output } = yield* context.invoke(Find);
        seen.push(output?.city);
        seen.push(yield* context.invoke('breaks'));
        seen.push((yield* context.invoke('find')).error);
      }
    }
    const model = new ScriptedModel(says('{"city":"Oslo"}'), says('Oslo'), says('Oslo'));
    await using runner = await createRunner(Top, { model });

    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    const error = { code: 'AGENT_FAILED', message: 'No paper.' };
    expect(seen).toEqual([
      'Oslo',
      {
        status: 'failed',
        path: 'top/breaks',
        text: '',
        texts: [],
        output: undefined,
        escalated: false,
        error,
      },
      { code: 'OUTPUT_INVALID', message: 'the answer is not JSON' },
    ]);
    expect(events.map(pathAndText)).toEqual([
      ['top/find', '{"city":"Oslo"}'],
      ['top/breaks', 'AGENT_FAILED'],
      ['top/find@2', 'OUTPUT_INVALID'],
      ['top/find@2', 'Oslo'],
    ]);
  });

  it('can invoke its own sub-agents only', async () => {
    @agent({ name: 'other', description: '' })
    class Other extends LlmAgent {}
    const wanted: unknown[] = [Other, 'other', undefined, 7, {}];
    const faults: unknown[] = [];
    @agent({ name: 'top', description: '' })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of wanted) {
          try {
            yield* context.invoke(child as string);
          } catch (error) {
            faults.push((error as { code?: string }).code);
          }
        }
      }
    }
    await using runner = await createRunner(Top, { model: new ScriptedModel() });

    await eventsOf(runner.run({ ...address, message: 'Go.' }));

    expect(faults).toEqual(wanted.map(() => 'NOT_A_SUB_AGENT'));
  });

  it('does not go on behind a pause, also where its events are read one by one', async () => {
    const steps: string[] = [];
    const publish = new FunctionTool({ name: 'publish', description: '', confirm: true, run: () => 1 });
    @agent({ name: 'release', description: '', tools: [publish] })
    class Release extends LlmAgent {}
    @agent({ name: 'top', description: '', subAgents: [Release] })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        try {
          for await (const event of context.invoke(Release)) yield event;
          steps.push('behind');
        } catch {
          steps.push('caught');
        } finally {
          steps.push('closed');
        }
      }
    }
    await using runner = await createRunner(Top, {
      model: new ScriptedModel(callsTool('publish'), says('Done.')),
    });

    await say(runner);
    expect(steps).toEqual(['closed']);
    await approve(runner);
    expect(steps).toEqual(['closed', 'behind', 'closed']);
  });

  it('shows only events of the sub-agent where they are read one by one, also at the pause', async () => {
    const seen: string[] = [];
    const publish = new FunctionTool({ name: 'publish', description: '', confirm: true, run: () => 1 });
    @agent({ name: 'release', description: '', tools: [publish] })
    class Release extends LlmAgent {}
    @agent({ name: 'top', description: '', subAgents: [Release] })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for await (const event of context.invoke(Release)) {
          seen.push(`${event.invocationId} ${event.author} ${String(event.nodeInfo?.path)}`);
          yield event;
        }
      }
    }
    await using runner = await createRunner(Top, { model: new ScriptedModel(callsTool('publish')) });

    const shown = await eventsOf(runner.run({ ...address, message: 'Go.', invocationId: 'e-1' }));

    expect(new Set(seen)).toEqual(new Set(['e-1 release top/release']));
    expect(shown.every(({ content }) => content !== undefined)).toBe(true);
  });

  it('that stops reading a sub-agent has its model and its tools end, and goes on', async () => {
    const ended: string[] = [];
    const model = new (class extends Model {
      readonly name = 'slow';

      async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
        try {
          yield await Promise.resolve({ ...says('Well'), partial: true });
          yield says('Well.');
        } finally {
          ended.push('model');
        }
      }
    })();
    const count = new FunctionTool({
      name: 'count',
      description: '',
      async *run() {
        try {
          yield await Promise.resolve(1);
          yield 2;
        } finally {
          ended.push('tool');
        }
      },
    });
    const Talker = defineAgent({ name: 'talker', model });
    const Counter = defineAgent({
      name: 'counter',
      tools: [count],
      model: new ScriptedModel(callsTool('count')),
    });
    @agent({ name: 'top', description: '', subAgents: [Talker, Counter] })
    class Top extends BaseAgent {
      // eslint-disable-next-line require-yield -- it reads, and says nothing
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of ['talker', 'counter'])
          for await (const event of context.invoke(child)) if (event.partial) break;
        await new Promise((resolve) => setImmediate(resolve));
        ended.push('top');
      }
    }
    await using runner = await createRunner(Top, { config: { streaming: 'sse' } });

    await say(runner);

    expect(ended).toEqual(['model', 'tool', 'top']);
  });

  it('is told so where it asks a paused sub-agent for more without yielding its events', async () => {
    const publish = new FunctionTool({ name: 'publish', description: '', confirm: true, run: () => 1 });
    @agent({ name: 'release', description: '', tools: [publish] })
    class Release extends LlmAgent {}
    @agent({ name: 'top', description: '', subAgents: [Release] })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for await (const event of context.invoke(Release)) if (!event.partial) yield event;
      }
    }
    await using runner = await createRunner(Top, { model: new ScriptedModel(callsTool('publish')) });

    await expect(say(runner)).rejects.toMatchObject({ code: 'AGENT_STOPPED' });
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it.each<[string, string, string[], string[]]>([
    ['that asks for other agents', 'skips', ['b', 'a'], ['b']],
    ['that asks in another order', 'swaps', ['a', 'b'], ['b', 'a']],
    ['that ends earlier', 'ends', ['a', 'b'], []],
  ])(
    'whose code has changed, %s, ends without a guess, and takes the answer when it is back',
    async (_what, _name, before, after) => {
      const sessions = new InMemorySessionService();
      const first = await changing(
        sessions,
        before,
        says('One.'),
        callsTool('publish'),
        callsTool('publish'),
      );
      await say(first.runner);
      expect(await first.runner.pending(address)).toHaveLength(1);
      const second = await changing(sessions, after);

      const events = await approve(second.runner);

      expect(events.map(({ author, errorCode }) => [author, errorCode])).toContainEqual([
        'top',
        'AGENT_TREE_CHANGED',
      ]);
      expect(second.ran).toEqual([]);
      expect(await second.runner.pending(address)).toMatchObject([{ tool: 'publish', kind: 'confirmation' }]);
      const third = await changing(sessions, before, says('Two.'), says('Three.'));
      await approve(third.runner);
      expect([third.ran.length, await third.runner.pending(address)]).toEqual([1, []]);
    },
  );

  it('keeps a value once, and refuses what JSON cannot hold', async () => {
    const seen: unknown[] = [];
    @agent({ name: 'top', description: '' })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        const values = [
          context.once('a', () => 1),
          context.once('a', () => 2),
          context.once('b', () => undefined),
        ];
        seen.push(...(await Promise.all<unknown>(values)));
        for (const bad of [() => 10n, () => new Map(), () => Promise.reject(new Error('No.'))]) {
          seen.push(
            await context.once(String(seen.length), bad as () => unknown).catch((error: unknown) => error),
          );
        }
        yield context.event({ author: 'top' });
      }
    }
    await using runner = await createRunner(Top, { model: new ScriptedModel() });

    await say(runner);

    expect(seen).toMatchObject([
      1,
      1,
      null,
      { code: 'ONCE_INVALID' },
      { code: 'ONCE_INVALID' },
      { message: 'No.' },
    ]);
  });
});

describe('one agent class under two parents', () => {
  it('goes on in the place that paused, and the next message is heard there', async () => {
    const publish = new FunctionTool({ name: 'publish', description: '', confirm: true, run: () => 1 });
    @agent({ name: 'shared', description: '', tools: [publish] })
    class Shared extends LlmAgent {}
    @agent({ name: 'left', description: '', subAgents: [Shared] })
    class Left extends LlmAgent {}
    @agent({ name: 'right', description: '', subAgents: [Shared] })
    class Right extends LlmAgent {}
    @agent({ name: 'top', description: '', subAgents: [Left, Right] })
    class Top extends LlmAgent {}
    const transfer = (to: string) => callsTool('transfer_to_agent', { agent_name: to });
    const model = new ScriptedModel(
      ...[transfer('right'), transfer('shared'), callsTool('publish')],
      ...[says('Published.'), says('Next.')],
    );
    await using runner = await createRunner(Top, { model });
    await say(runner);

    const after = await approve(runner);
    const next = await say(runner);

    expect([...after, ...next].map(pathAndText)).toEqual([
      ['top/right/shared', 'response publish'],
      ['top/right/shared', 'Published.'],
      ['top/right/shared', 'Next.'],
    ]);
    expect(JSON.stringify(model.requests.at(-1)?.config.systemInstruction)).toContain(
      '- right: no description',
    );
  });
});

function pathAndText({ nodeInfo, text, functionCalls, functionResponses, errorCode }: Event) {
  const [call] = functionCalls;
  const [response] = functionResponses;
  const said =
    (call && `call ${call.name ?? ''}`) ??
    (response && `response ${response.name ?? ''}`) ??
    errorCode ??
    text;
  return [nodeInfo?.path, said];
}

async function start(...given: readonly (ScriptedStep | InMemorySessionService)[]) {
  const ran: string[] = [];
  const publish = new FunctionTool({
    name: 'publish',
    description: '',
    confirm: true,
    run: () => ran.push('publish'),
  });
  @agent({ name: 'draft', description: '' })
  class Draft extends LlmAgent {}
  @agent({ name: 'release', description: '', tools: [publish] })
  class Release extends LlmAgent {}
  @agent({ name: 'tell', description: '' })
  class Tell extends LlmAgent {}
  @agent({ name: 'pipeline', description: '', subAgents: [Draft, Release, Tell] })
  class Pipeline extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      const draft = yield* context.invoke(Draft);
      const release = yield* context.invoke(Release);
      const told = yield* context.invoke(Tell);
      const text = [draft, release, told].map((result) => result.text).join(' ');
      yield context.event({ author: 'pipeline', content: { role: 'model', parts: [{ text }] } });
    }
  }
  const sessions = given.find((one) => one instanceof InMemorySessionService) ?? new InMemorySessionService();
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const model = new ScriptedModel(
    ...given.filter((one): one is ScriptedStep => !(one instanceof InMemorySessionService)),
  );
  return { ran, model, runner: await createRunner(Pipeline, { model, modules: [bindings] }) };
}

/** A composite that invokes these of its two agents, of which `b` publishes. */
async function changing(
  sessions: InMemorySessionService,
  order: readonly string[],
  ...steps: readonly ScriptedStep[]
) {
  const ran: string[] = [];
  const publish = new FunctionTool({
    name: 'publish',
    description: '',
    confirm: true,
    run: () => ran.push('b'),
  });
  @agent({ name: 'a', description: '', tools: [publish] })
  class A extends LlmAgent {}
  @agent({ name: 'b', description: '', tools: [publish] })
  class B extends LlmAgent {}
  @agent({ name: 'top', description: '', subAgents: [A, B] })
  class Top extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      for (const name of order) yield* context.invoke(name);
      yield context.event({ author: 'top' });
    }
  }
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  return {
    ran,
    runner: await createRunner(Top, { model: new ScriptedModel(...steps), modules: [bindings] }),
  };
}

function say(runner: Runner): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message: 'Go.' }));
}

async function approve(runner: Runner): Promise<Event[]> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('Nothing is pending.');
  return eventsOf(runner.approve(request));
}
