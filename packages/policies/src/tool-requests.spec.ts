import { Clock, ContainerModule, createRunner, defineAgent, FunctionTool, type Runner } from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';
import {
  callsTool,
  callsTools,
  eventsOf,
  ManualClock,
  says,
  ScriptedModel,
  type ScriptedStep,
} from '@adorn/testing';

import { settle } from './policy-stage.fixture.js';
import { toolPolicies } from './tool-policies.module.js';

const address = { sessionId: 's1' };

describe('a tool that asks a person while it runs', () => {
  it('is not tried again for its question, and gets its answer in every attempt', async () => {
    const clock = new ManualClock();
    const seen: unknown[] = [];
    const { runner } = await start({
      clock,
      retry: 3,
      effect: 'read',
      run: async (_args, context) => {
        const day = await context.requestInput({ message: 'Which day?' });
        seen.push(day);
        if (seen.length < 3) throw new Error('down');
        return { day };
      },
    });

    await eventsOf(runner.run({ ...address, message: 'Rain?' }));
    expect(clock.waiting).toBe(0);
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    const answered = eventsOf(runner.supply(request, 'Monday'));
    for (let attempt = 0; attempt < 3; attempt++) {
      await settle();
      await clock.advance(30_000);
    }

    expect(responsesOf(await answered)).toEqual([{ day: 'Monday' }]);
    expect(seen).toEqual(['Monday', 'Monday', 'Monday']);
    expect(await runner.pending(address)).toEqual([]);
    await runner.close();
  });

  it('is asked anew by every call: the answer of one is not kept for others', async () => {
    const { runner } = await start({
      cache: { scope: 'app' },
      run: async (_args, context) => context.requestInput({ message: 'Which day?' }),
    });

    for (const day of ['Monday', 'Tuesday']) {
      await eventsOf(runner.run({ ...address, message: 'Rain?' }));
      const [request] = await runner.pending(address);
      expect(request?.hint).toBe('Which day?');
      if (request === undefined) continue;
      expect(responsesOf(await eventsOf(runner.supply(request, day)))).toEqual([{ result: day }]);
    }
    await runner.close();
  });

  it('asks for each of several equal calls at the same time', async () => {
    const { runner } = await start({
      cache: { scope: 'app' },
      run: async (_args, context) => {
        await settle();
        return context.requestInput({ message: 'Which day?' });
      },
      steps: [callsTools({ name: 'rain' }, { name: 'rain' }), says('Dry.')],
    });

    await eventsOf(runner.run({ ...address, message: 'Rain?' }));

    expect((await runner.pending(address)).map(({ kind, hint }) => [kind, hint])).toEqual([
      ['input', 'Which day?'],
      ['input', 'Which day?'],
    ]);
    await runner.close();
  });
});

interface Setting extends Partial<FunctionToolFields> {
  readonly clock?: Clock;
  readonly steps?: readonly ScriptedStep[];
}

async function start({ clock, steps, ...fields }: Setting): Promise<{ runner: Runner }> {
  const run = (): string => 'none';
  const tool = new FunctionTool({ name: 'rain', description: 'Rain of a day.', run, ...fields });
  const turns = [callsTool('rain'), says('Dry.'), callsTool('rain'), says('Dry.')];
  const clocks =
    clock === undefined ? [] : [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
    model: new ScriptedModel(...(steps ?? turns)),
    modules: [toolPolicies, ...clocks],
  });
  return { runner };
}

function responsesOf(events: Awaited<ReturnType<typeof eventsOf>>): unknown[] {
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
}
