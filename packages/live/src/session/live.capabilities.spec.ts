import { callsLive, ScriptedLive, ScriptedModel, speaks, untilResponse, untilText } from '@adorn/testing';

import { defineAgent, FunctionTool, workflow } from '@adorn/core';
import { createRunner, gate, isTurnEnd, KEY, startLive, until } from './live.fixture.js';

describe('a live model that can do less, or something else', () => {
  it('is told of a handover on the open connection if that can be changed', async () => {
    const Expert = defineAgent({ name: 'expert', instruction: 'Know all.' });
    const model = ScriptedLive.able(
      { updates: true },
      untilText(),
      callsLive('transfer_to_agent', { agent_name: 'expert' }, 't1'),
      untilResponse('t1'),
      speaks('I am the expert.'),
    );
    const { live } = await startLive({ subAgents: [Expert] }, [], { model });
    live.sendText('An expert, please.');
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(model.connections).toHaveLength(1);
    expect(model.connection.sent.find(({ kind }) => kind === 'update')).toMatchObject({
      instruction: expect.stringContaining('Know all.') as string,
    });
    expect(events.at(-1)?.author).toBe('expert');
  });

  it('reads the result of a background tool as text if a call has one response only', async () => {
    const { promise, open } = gate<string>();
    const tool = new FunctionTool({
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object' },
      background: true,
      run: () => promise,
    });
    const model = ScriptedLive.able(
      { asyncCalls: false },
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      speaks('I am looking.'),
      untilText(),
      speaks('Three.'),
    );
    const { live } = await startLive({ tools: [tool] }, [], { model });
    live.sendText('Look.');
    await until(live, isTurnEnd);
    open('three');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.responses).toEqual([
      { id: 'c1', name: 'look', response: { status: 'running', tool: 'look' } },
    ]);
    expect(model.connection.texts.at(-1)).toBe('[look returned {"result":"three"}.]');
  });
});

describe('agents that run beside each other', () => {
  it.each([
    ['parallel', (one: never, other: never) => workflow.parallel(one, other, { name: 'both' })],
    ['race', (one: never, other: never) => workflow.race(one, other, { name: 'both' })],
  ])('are refused by name in a live session: %s', async (_kind, both) => {
    const News = defineAgent({ name: 'news', description: 'News.' });
    const Weather = defineAgent({ name: 'weather', description: 'Weather.' });
    const model = new ScriptedLive();
    const runner = await createRunner(both(News as never, Weather as never), { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    const { events } = await live.ended;
    await runner.close();

    const refused = events.filter(({ errorCode }) => errorCode === 'LIVE_NOT_SUPPORTED');
    expect(refused.map(({ author }) => author).toSorted()).toEqual(['news', 'weather']);
    expect(refused[0]?.errorMessage).toContain('"news" runs beside others');
    expect(model.connections).toEqual([]);
  });
});
