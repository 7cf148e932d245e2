import { says, ScriptedModel } from '@adorn/testing';

import type { AgentOptions } from '../backend.js';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  googleSearch,
  InMemorySessionService,
  type Runner,
  SessionService,
  StaticToolset,
  type Tool,
  tool,
  toolbox,
  Toolset,
  type ToolsetContext,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('runner.tools', () => {
  it('gives the tools of the agent and of its toolsets, with their declarations and effects', async () => {
    const runner = await start({
      tools: [
        named('own', { effect: 'destructive' }),
        new StaticToolset([named('listed', { effect: 'read' })]),
      ],
    });

    const tools = await runner.tools(address);

    expect(tools.map(({ name, traits }) => [name, traits.effect])).toEqual([
      ['own', 'destructive'],
      ['listed', 'read'],
    ]);
    expect(tools[0]?.declaration()).toMatchObject({ name: 'own', description: 'The tool own.' });
  });

  it('lists toolsets for the user, with the state of the conversation, and stores nothing', async () => {
    const seen: unknown[] = [];
    class Seeing extends Toolset {
      listTools({ userId, sessionId, state }: ToolsetContext): Promise<Tool[]> {
        seen.push([userId, sessionId, state.get('plan'), state.get('user:plan')]);
        return Promise.resolve([]);
      }
    }
    const sessions = new InMemorySessionService();
    const key = { appName: 'desk', ...address };
    await sessions.createSession(key, { plan: 'small', 'user:plan': 'large' });
    const runner = await start({ tools: [new Seeing()] }, sessions);

    await runner.tools(address);
    await runner.tools({ userId: 'ada', sessionId: 's2' });
    await runner.tools();

    expect(seen).toEqual([
      ['ada', 's1', 'small', 'large'],
      ['ada', 's2', undefined, 'large'],
      ['user', expect.any(String), undefined, undefined],
    ]);
    expect((await sessions.getSession(key))?.events).toEqual([]);
    expect(await sessions.listSessions({ appName: 'desk', userId: 'ada' })).toHaveLength(1);
    expect(await sessions.listSessions({ appName: 'desk', userId: 'user' })).toEqual([]);
  });

  it('gives those of the named agent, and leaves out what steers the conversation, and what the provider runs', async () => {
    const Child = defineAgent({ name: 'child', description: 'Below.', model: null, tools: [named('mine')] });
    const runner = await start({
      model: new ScriptedModel(),
      subAgents: [Child],
      tools: [named('own'), googleSearch()],
      outputSchema: { type: 'object' },
    });

    expect((await runner.tools(address)).map(({ name }) => name)).toEqual(['own']);
    expect((await runner.tools({ agent: 'child' })).map(({ name }) => name)).toEqual(['mine']);
    await expect(runner.tools({ agent: 'nobody' })).rejects.toMatchObject({ code: 'CALL_INVALID' });
  });

  it('leaves out a toolset that fails, and logs why', async () => {
    class Failing extends Toolset {
      listTools(): Promise<Tool[]> {
        return Promise.reject(new Error('away'));
      }
    }
    const error = jest.spyOn(console, 'error').mockReturnValue();
    const runner = await start({ tools: [named('own'), new Failing()] });

    expect((await runner.tools(address)).map(({ name }) => name)).toEqual(['own']);
    expect(error).toHaveBeenCalledWith(
      expect.stringMatching(/a toolset could not be listed.*Failing.*away/s),
    );
    error.mockRestore();
  });

  it('gives the tools of a toolbox once the conversation has opened it', async () => {
    @toolbox({ unfold: true, description: 'Billing.' })
    class Billing {
      @tool({ description: 'Refunds.', parameters: { type: 'object', properties: {} } })
      refund(): void {
        // It is only listed.
      }
    }
    const runner = await start({ tools: [Billing] });
    const namesOf = async (): Promise<string[]> => (await runner.tools(address)).map(({ name }) => name);
    const before = await namesOf();

    await runner.call({ tool: before[0] ?? '', ...address });

    expect([before, (await namesOf()).slice(before.length)]).toEqual([[expect.any(String)], ['refund']]);
  });

  it('is refused by a closed runner, and for options that do not exist', async () => {
    const runner = await start({ model: new ScriptedModel(says('Hi.')) });

    await expect(runner.tools({ agnet: 'x' } as object)).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
    });
    await runner.close();
    await expect(runner.tools()).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });

  it('stops at the signal', async () => {
    const controller = new AbortController();
    class Hanging extends Toolset {
      listTools(): Promise<Tool[]> {
        controller.abort();
        return new Promise(() => undefined);
      }
    }
    const runner = await start({ tools: [new Hanging()] });

    await expect(runner.tools({ ...address, signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});

function named(name: string, options: { effect?: 'read' | 'destructive' } = {}): Tool {
  return new FunctionTool({ name, description: `The tool ${name}.`, run: () => name, ...options });
}

function start(options: AgentOptions, sessions = new InMemorySessionService()): Promise<Runner<unknown>> {
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
    }),
  ];
  return createRunner(defineAgent({ name: 'desk', model: null, ...options }), { modules });
}
