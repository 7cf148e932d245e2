import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  type AgentClass,
  type AuthConfig,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  Plugin,
  type Runner,
  type RunInput,
  StaticToolset,
} from '../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('runner.explain', () => {
  it('gives the very request that the run of the message sends', async () => {
    const { runner, model } = await start(clerk(), says('Hi.'), says('Hello.'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.', stateDelta: { city: 'Oslo' } }));

    const {
      agent: path,
      model: name,
      config,
      contents,
    } = await runner.explain({ ...ADDRESS, message: 'Go.' });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect([path, name]).toEqual(['clerk', model.name]);
    expect({ config, contents }).toEqual({
      config: model.requests[1]?.config,
      contents: model.requests[1]?.contents,
    });
    expect(config.systemInstruction).toContain('You are in Oslo.');
  });

  it('asks no model, runs no tool and writes nothing', async () => {
    const { runner, model } = await start(clerk(), says('Hi.'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.', stateDelta: { city: 'Oslo' } }));
    const before = await logOf(runner);

    await runner.explain({ ...ADDRESS, message: 'Go.', stateDelta: { city: 'Rome' } });
    await runner.explain({ userId: 'ada', message: 'Go.', stateDelta: { city: 'Rome' } });

    expect([model.requests.length, await logOf(runner)]).toEqual([1, before]);
    expect(await runner.sessions.listSessions({ appName: 'clerk', userId: 'ada' })).toHaveLength(1);
  });

  it('shows the changes of plugins and callbacks, and drops what they write', async () => {
    class Noting extends Plugin {
      override readonly name = 'noting';

      override async beforeModel(...[request, context]: Parameters<NonNullable<Plugin['beforeModel']>>) {
        await context.saveArtifact('note', { text: 'seen' });
        context.state.set('seen', true);
        request.config = { ...request.config, temperature: 0 };
        return undefined;
      }
    }
    const { runner } = await start(defineAgent({ name: 'clerk' }), new Noting());

    const { config } = await runner.explain({ ...ADDRESS, message: 'Go.' });

    expect(config.temperature).toBe(0);
    expect(await runner.artifacts.list({ appName: 'clerk', ...ADDRESS })).toEqual([]);
  });

  it('lists toolsets with the state, and shows what is left where one fails', async () => {
    const toolset = new StaticToolset([named('late')]);
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [toolset] }));

    const { config } = await runner.explain({ ...ADDRESS, message: 'Go.' });

    expect(config.tools).toMatchObject([{ functionDeclarations: [{ name: 'late' }] }]);
  });

  it('is of the agent that would answer: the holder, or the first that a composite runs', async () => {
    const Billing = defineAgent({ name: 'billing', description: 'Bills.' });
    const Desk = defineAgent({ name: 'desk', subAgents: [Billing] });
    const { runner } = await start(
      Desk,
      callsTool('transfer_to_agent', { agentName: 'billing' }),
      says('Hi.'),
    );
    await eventsOf(runner.run({ ...ADDRESS, message: 'My bill.' }));
    @agent({ name: 'line', description: '', subAgents: [Billing] })
    class Line extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of context.agent.subAgents) yield* context.invoke(child);
      }
    }
    const { runner: line } = await start(Line);

    expect((await runner.explain({ ...ADDRESS, message: 'Go.' })).agent).toBe('desk/billing');
    expect((await line.explain({ ...ADDRESS, message: 'Go.' })).agent).toBe('line/billing');
  });

  it('can be asked while a call waits for a person, and leaves it waiting', async () => {
    const { runner } = await start(asking(), callsTool('pay'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Pay.' }));

    const { contents } = await runner.explain({ ...ADDRESS, message: 'Wait.' });

    expect(contents.at(-1)).toEqual({ role: 'user', parts: [{ text: 'Wait.' }] });
    expect(await runner.pending(ADDRESS)).toHaveLength(1);
  });

  it('says why there is nothing to explain', async () => {
    @agent({ name: 'mute', description: '' })
    class Mute extends LlmAgent {
      override beforeModel() {
        return says('No.');
      }
    }
    const { runner } = await start(Mute);

    await expect(runner.explain({ message: 'Go.' })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPLAIN',
      message: expect.stringContaining('the run ends with the answer of mute') as unknown,
    });
    await expect(runner.explain({ mesage: 'Go.' } as unknown as RunInput)).rejects.toThrow('mesage');
    await runner.close();
    await expect(runner.explain({ message: 'Go.' })).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });

  it('shows a new conversation the state of its user, and not that of another conversation', async () => {
    const Guide = defineAgent({ name: 'clerk', instruction: 'City: {city?}. Tongue: {user:tongue?}.' });
    const { runner } = await start(Guide, says('Hi.'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.' }));
    const key = { appName: 'clerk', ...ADDRESS };
    await runner.sessions.updateSession(key, { city: 'Oslo', 'user:tongue': 'Norse' });

    const { config } = await runner.explain({ userId: 'ada', sessionId: 's2', message: 'Go.' });

    expect(config.systemInstruction).toContain('City: . Tongue: Norse.');
  });

  it('says for what a run would pause before a model is asked', async () => {
    class Shop extends StaticToolset {
      override readonly auth: AuthConfig = {
        scheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
        key: 'shop',
      };
    }
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [new Shop()] }));

    await expect(runner.explain({ message: 'Go.' })).rejects.toThrow('with a request for credential');
  });

  it('names the tool that would run before a model is asked', async () => {
    const { runner } = await start(asking(), callsTool('pay'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Pay.' }));
    const [request] = await runner.pending(ADDRESS);
    const message = { functionResponse: { id: request?.id ?? '', response: { confirmed: true } } };

    await expect(runner.explain({ ...ADDRESS, message })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPLAIN',
      message:
        'The tool "pay" would run before a model is called. Finish the conversation\'s open calls first, or ' +
        'explain in another session.',
    });
  });

  it('does not close what the runner still uses', async () => {
    let closed = 0;
    class Closing extends StaticToolset {
      override close(): void {
        closed++;
      }
    }
    const toolset = new Closing([named('late')]);
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [toolset] }), says('Hi.'));

    await runner.explain({ message: 'Go.' });

    expect([closed, (await runner.run({ message: 'Go.' })).text]).toEqual([0, 'Hi.']);
  });
});

function clerk(): AgentClass {
  return defineAgent({ name: 'clerk', instruction: 'You are in {city}.', tools: [named('look')] });
}

/** An agent whose tool `pay` has to be approved. */
function asking(): AgentClass {
  const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' });
  return defineAgent({ name: 'clerk', tools: [pay] });
}

function named(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name });
}

async function start(root: AgentClass, ...parts: (ScriptedStep | Plugin)[]) {
  const plugins = parts.filter((part) => part instanceof Plugin);
  const model = new ScriptedModel(...parts.filter((part): part is ScriptedStep => !(part instanceof Plugin)));
  return { runner: await createRunner(root, { model, plugins }), model };
}

async function logOf(runner: Runner): Promise<unknown> {
  const session = await runner.sessions.getSession({ appName: 'clerk', ...ADDRESS });
  return JSON.stringify([session?.events, session?.state, session?.nextSeq]);
}
