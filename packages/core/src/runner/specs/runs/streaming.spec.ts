import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep, streams } from '@adorn/testing';

import { agent, createRunner, defineAgent, FunctionTool, LlmAgent, type RunConfig } from '../../../index.js';

describe('streaming', () => {
  it('gives the pieces of an answer and then the whole, all under one id', async () => {
    const { events } = await run({ streaming: 'sse' }, streams('Hel', 'lo.'));

    expect(events.map(({ text, partial, turnComplete }) => [text, partial, turnComplete])).toEqual([
      ['Hel', true, false],
      ['lo.', true, false],
      ['Hello.', false, true],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
  });

  it('stores the whole and none of its pieces', async () => {
    const { stored } = await run({ streaming: 'sse' }, streams('Hel', 'lo.'));

    expect(stored?.events.map(({ text, partial }) => [text, partial])).toEqual([
      ['Hello?', false],
      ['Hello.', false],
    ]);
  });

  it('lets timers and other requests have a turn while pieces arrive without a pause', async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);

    await run({ streaming: 'sse' }, streams(...Array.from({ length: 2_000 }, () => 'x')));

    clearImmediate(immediate);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('gives each answer of a turn an id of its own', async () => {
    const { events } = await run({ streaming: 'sse' }, callsTool('look'), streams('Fi', 'ne.'));

    expect(events.map(({ text, functionCalls }) => [text, functionCalls.length])).toEqual([
      ['', 1],
      ['', 0],
      ['Fi', 0],
      ['ne.', 0],
      ['Fine.', 0],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  it('is off unless it is asked for', async () => {
    const { events, model } = await run({}, streams('Hel', 'lo.'));

    expect(events.map(({ text, partial }) => [text, partial])).toEqual([['Hello.', false]]);
    expect(model.requests[0]?.stream).toBe(false);
  });

  it('shows a call in a piece under the id that it runs under', async () => {
    const parts = [{ functionCall: { name: 'look', args: {} } }];
    const answer = { content: { role: 'model', parts } };
    const { events } = await run({ streaming: 'sse' }, [{ ...answer, partial: true }, answer], says('Fine.'));

    const [piece, whole, response] = events;
    expect(piece?.functionCalls[0]?.id).toMatch(/^adk-/);
    expect(whole?.functionCalls).toEqual(piece?.functionCalls);
    expect(response?.functionResponses[0]?.id).toBe(piece?.functionCalls[0]?.id);
  });

  it('that breaks off keeps nothing under the outputKey, and fails ask', async () => {
    const model = new ScriptedModel([{ ...says('Hel'), partial: true }], [{ ...says('Hel'), partial: true }]);
    const Clerk = defineAgent({ name: 'clerk', outputKey: 'answer' });
    await using runner = await createRunner(Clerk, { model, config: { streaming: 'sse' } });

    const events = await eventsOf(runner.run({ message: 'Hello?' }));

    expect(events.at(-1)?.actions.stateDelta).toEqual({});
    await expect(runner.ask('Hello?')).rejects.toMatchObject({ code: 'RUN_FAILED' });
  });

  it('that breaks off ends with an event that says why', async () => {
    const { events } = await run({ streaming: 'sse' }, [{ ...says('Hel'), partial: true }]);

    expect(
      events.map(({ text, partial, errorCode, errorMessage }) => [text, partial, errorCode, errorMessage]),
    ).toEqual([
      ['Hel', true, undefined, undefined],
      [
        'Hel',
        false,
        'STREAM_INTERRUPTED',
        'The stream ended before the answer was complete. The received text is stored. Ask again.',
      ],
    ]);
  });
});

describe('the progress of a tool', () => {
  it('is given as it happens, is not stored, and what the tool returns is its result', async () => {
    const { events, stored } = await run({}, callsTool('count', {}, 'c1'), says('Counted.'));

    expect(
      events.map(({ partial, functionResponses: [response] }) => [
        partial,
        response?.response,
        response?.willContinue,
      ]),
    ).toEqual([
      [false, undefined, undefined],
      [true, { result: 1 }, true],
      [true, { result: 2 }, true],
      [false, { result: 'counted' }, undefined],
      [false, undefined, undefined],
    ]);
    expect(stored?.events).toHaveLength(4);
  });
});

async function run(config: RunConfig, ...steps: readonly ScriptedStep[]) {
  const look = new FunctionTool({ name: 'look', description: '', run: () => 'fine' });
  const count = new FunctionTool({
    name: 'count',
    description: '',
    async *run() {
      yield 1;
      yield 2;
      return 'counted';
    },
  });
  @agent({ description: '', tools: [look, count] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, config });
  const events = await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Hello?' }));
  const stored = await runner.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' });
  return { events, stored, model };
}
