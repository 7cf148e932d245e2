import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool, type Tool, Toolset } from '../index.js';

describe('a runner without policies', () => {
  it.each([
    { cache: true },
    { effect: 'read', retry: 2 },
    { rateLimit: { calls: 1, perMs: 1_000 } },
    { concurrency: 1 },
  ] as const)('refuses a tool with %j, also of an agent below', async (traits) => {
    const below = defineAgent({ name: 'below', tools: [named(traits)] });
    const root = defineAgent({ name: 'root', subAgents: [below] });

    await expect(createRunner(root, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'POLICIES_MISSING',
      message: expect.stringContaining('The tool "look"'),
    });
  });

  it('does not run a tool of a toolset that has some', async () => {
    let runs = 0;
    class Lists extends Toolset {
      override listTools(): Tool[] {
        return [named({ cache: true }, () => ++runs)];
      }
    }
    const root = defineAgent({ name: 'root', tools: [new Lists()] });
    await using runner = await createRunner(root, {
      model: new ScriptedModel(callsTool('look'), says('No.')),
    });

    const events = await eventsOf(runner.run({ message: 'Look.' }));

    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toEqual({
      error: expect.stringContaining('PoliciesMissingError'),
    });
    expect(runs).toBe(0);
  });

  it('runs a tool that has only a time limit', async () => {
    const root = defineAgent({ name: 'root', tools: [named({ timeout: 1_000 })] });
    await using runner = await createRunner(root, {
      model: new ScriptedModel(callsTool('look'), says('Seen.')),
    });

    expect(await runner.ask('Look.', { userId: 'ada' })).toBe('Seen.');
  });
});

function named(traits: object, run: () => unknown = () => 'seen'): FunctionTool {
  return new FunctionTool({ name: 'look', description: 'Looks.', run, ...traits });
}
