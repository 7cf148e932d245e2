import { getEventListeners } from 'node:events';

import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  createRunner,
  defineAgent,
  FunctionTool,
  type FunctionToolFields,
  type ToolTraits,
} from '../index.js';

describe('a tool that is a generator', () => {
  it.each<[string, FunctionToolFields['run']]>([
    ['at once', count],
    ['after it had to wait', async () => count()],
  ])('shows what it yields and answers with what it returns: %s', async (_when, run) => {
    const events = await answersTo(run);

    expect(events.map(({ partial, functionResponses }) => [partial, functionResponses[0]?.response])).toEqual(
      [
        [true, { result: 1 }],
        [true, { result: 2 }],
        [false, { result: 'counted' }],
      ],
    );
  });

  it('is told to return when its time is up, and its signal has no listener left when it ended', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const left: string[] = [];
    const listeners: number[] = [];

    const [, last] = await answersTo(
      async function* (_args, { signal }) {
        try {
          yield 1;
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          yield 2;
          left.push('went on');
        } finally {
          left.push('returned');
        }
      },
      { timeout: 1 },
    );
    await answersTo(async function* (_args, { signal }) {
      listeners.push(getEventListeners(signal, 'abort').length);
      yield await Promise.resolve(1);
      setImmediate(() => listeners.push(getEventListeners(signal, 'abort').length));
    });
    await new Promise((resolve) => setImmediate(resolve));

    expect(last?.functionResponses[0]?.response?.['error']).toMatch(/did not answer within 1 ms/);
    expect(left).toEqual(['returned']);
    expect(listeners).toEqual([1, 0]);
  });

  it('is refused where it cannot be waited for: nothing of it would have run', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);

    const [answer] = await answersTo(function* () {
      yield 1;
    });

    expect(answer?.functionResponses[0]?.response?.['error']).toMatch(/^The value holds an iterator/);
  });
});

async function* count(): AsyncGenerator<number, string> {
  yield 1;
  yield 2;
  return 'counted';
}

async function answersTo(run: FunctionToolFields['run'], traits: ToolTraits = {}) {
  const tool = new FunctionTool({ ...traits, name: 'count', description: '', run });
  const model = new ScriptedModel(callsTool('count'), says('Done.'));
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), { model });
  const events = await eventsOf(runner.run({ message: 'Count.' }));
  return events.filter(({ functionResponses }) => functionResponses.length > 0);
}
