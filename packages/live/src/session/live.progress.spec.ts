import {
  callsLive,
  callsTool,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import {
  agent,
  type CallbackContext,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  type Runner,
  type ToolContext,
} from '@adorn/core';
import { createRunner, gate, isTurnEnd, KEY, settled, startLive, until } from './live.fixture.js';

type Tell = 'each' | 'last' | 'end';

describe('what a running call of a live session yields', () => {
  it.each<[Tell, readonly unknown[]]>([
    ['each', ['running', 1, 2, 3]],
    ['last', ['running', 2, 3]],
    ['end', ['running', 3]],
  ])('is told to the model: %s', async (tell, told) => {
    const end = gate();
    const { live, model } = await startLive({ tools: [counting(end.promise, tell)] }, script());
    live.sendText('Count.');
    await until(live, isTurnEnd);
    await settled();
    end.open();
    await until(live, ({ functionResponses }) =>
      functionResponses.some(({ response }) => response?.['result'] === 3),
    );
    await settled();
    await live.close();

    expect(valuesIn(model)).toEqual(told);
  });

  it('is told as a text, which begins no answer while the model speaks, if the model takes no interim responses', async () => {
    const end = gate();
    const model = ScriptedLive.able({ asyncCalls: false }, ...script());
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', tools: [counting(end.promise, 'last')] }),
      { model: new ScriptedModel() },
    );
    const live = runner.live({ ...KEY, model });
    live.sendText('Count.');
    await until(live, isTurnEnd);
    await settled();
    end.open();
    await live.close();

    expect(model.connection.texts).toContain('[count goes on: {"result":2}.]');
  });

  it('is changed by beforeToolResponse before the model reads it, and what that writes is stored', async () => {
    const end = gate();
    class Clerk extends LlmAgent {
      override beforeToolResponse(
        _: object,
        _call: object,
        { state }: CallbackContext,
      ): Record<string, unknown> {
        state.set('seen', state.get<number>('seen', 0) + 1);
        return { result: 'hidden' };
      }
    }
    agent({ name: 'clerk', tools: [counting(end.promise, 'each')] })(Clerk);
    const model = new ScriptedLive(...script());
    await using runner: Runner<unknown> = await createRunner(Clerk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    live.sendText('Count.');
    await until(live, isTurnEnd);
    await settled();
    end.open();
    await live.close();

    expect(JSON.stringify(model.connection.responses)).not.toMatch(/"result":[12]/);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state['seen']).toBeGreaterThanOrEqual(2);
  });
});

describe('what a tool of a text run writes before a yield', () => {
  it('is stored with the yield, and seen by others while the tool runs', async () => {
    const end = gate();
    const model = new ScriptedModel(callsTool('count', {}), says('Counted.'));
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', model, tools: [counting(end.promise, 'end', false)] }),
    );
    const seen: unknown[] = [];
    for await (const event of runner.run({ ...KEY, message: 'Count.' })) {
      if (!isYield(event)) continue;
      const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
      seen.push(session?.state['count']);
      end.open();
    }

    expect(seen).toEqual([1, 2]);
  });
});

function counting(end: Promise<void>, tell: Tell, background = true): FunctionTool {
  return new FunctionTool({
    name: 'count',
    description: 'Counts.',
    parameters: { type: 'object' },
    ...(background && { background }),
    tell,
    run: async function* (_: object, { state }: ToolContext) {
      for (const count of [1, 2]) {
        state.set('count', count);
        yield count;
      }
      await end;
      return 3;
    },
  });
}

function script(): LiveStep[] {
  return [untilText(), callsLive('count', {}, 'c1'), untilResponse('c1'), speaks('I count.')];
}

function isYield({ partial, functionResponses }: Event): boolean {
  return partial && functionResponses.length > 0;
}

function valuesIn({ connection }: ScriptedLive): unknown[] {
  return connection.responses.map(({ response }) => response['status'] ?? response['result']);
}
