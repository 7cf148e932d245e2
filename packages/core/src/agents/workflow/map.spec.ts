import { setImmediate } from 'node:timers/promises';

import { callsTool, says, type ScriptedStep } from '@adorn/testing';

import { agent, defineAgent, workflow, MapAgent } from '../../index.js';
import { Conversation, Desk, lines } from './workflow.fixture.js';

const echo: ScriptedStep = ({ contents }) => says(`<${contents.at(-1)?.parts?.[0]?.text ?? ''}>`);

describe('MapAgent', () => {
  it('runs its sub-agent for each item, which is the message that it works on', async () => {
    const desk = new Desk();
    const translator = desk.agent('translator', echo, echo, echo);
    @agent({
      name: 'all',
      description: '',
      subAgents: [translator],
      itemsKey: 'words',
      outputKey: 'translated',
    })
    class All extends MapAgent {}
    const conversation = new Conversation(All);
    const runner = await conversation.open();

    const result = await runner.run({
      ...Conversation.address,
      message: 'Translate.',
      stateDelta: { words: ['a', 'b', { c: 1 }] },
    });

    expect([result.text, result.output]).toEqual(['<a>\n\n<b>\n\n<{"c":1}>', ['<a>', '<b>', '<{"c":1}>']]);
    expect(result.events.map(({ branch, nodeInfo }) => [branch, nodeInfo?.path])).toEqual([
      ['all.0', 'all/translator'],
      ['all.1', 'all/translator@2'],
      ['all.2', 'all/translator@3'],
      [undefined, 'all'],
    ]);
    expect(await conversation.state()).toMatchObject({ translated: ['<a>', '<b>', '<{"c":1}>'] });
  });

  it('shows its sub-agent an empty text as its message, and not what the user said', async () => {
    const worker = new Desk().agent('worker', echo, echo, echo, echo);
    const runner = await new Conversation(workflow.map(worker, { itemsKey: 'items', concurrency: 1 })).open();

    const { output } = await runner.run({
      message: 'Delete all.',
      stateDelta: { items: ['x', '', 0, null] },
    });

    expect(output).toEqual(['<x>', '<(empty message)>', '<0>', '<null>']);
  });

  it('runs at most `concurrency` at a time, and 8 where it says nothing', async () => {
    for (const concurrency of [undefined, 3]) {
      const desk = new Desk();
      let now = 0;
      let most = 0;
      const step: ScriptedStep = async () => {
        most = Math.max(most, ++now);
        await setImmediate();
        now--;
        return says('.');
      };
      const worker = desk.agent('worker', ...Array.from({ length: 20 }, () => step));
      const tree = workflow.map(worker, {
        itemsKey: 'items',
        ...(concurrency !== undefined && { concurrency }),
      });

      await new Conversation(tree).say('Go.', { items: Array.from({ length: 20 }, (_, index) => index) });

      expect([most, worker.model.requests.length]).toEqual([concurrency ?? 8, 20]);
    }
  });

  it('shows an agent behind it the items as context, and what the user said as the current turn', async () => {
    const desk = new Desk();
    const { model } = desk.agent('m', says('Merged.'));
    const merge = defineAgent({ name: 'merge', description: '', model, includeContents: 'none' });
    const tree = workflow.sequence(
      workflow.map(desk.agent('worker', echo, echo), { itemsKey: 'items' }),
      merge,
    );

    await new Conversation(tree).say('Go.', { items: ['a', 'b'] });

    expect(model.requests[0]?.contents[0]?.parts).toEqual([{ text: 'Go.' }]);
    expect(JSON.stringify(model.requests[0]?.contents)).toMatch(/<a>.*<b>/);
  });

  it('goes on where an item fails, writes null for it, and warns with the count', async () => {
    const desk = new Desk();
    const conversation = new Conversation(
      workflow.map(desk.agent('worker', echo), { itemsKey: 'items', outputKey: 'done', concurrency: 1 }),
    );

    await conversation.say('Go.', { items: ['a', 'b'] });

    expect(await conversation.state()).toMatchObject({ done: ['<a>', null] });
    expect(conversation.log.warnings).toEqual([
      ['some items of a list failed', { agent: 'worker_map', failed: 1, of: 2 }],
    ]);
  });

  it('goes on with the items that it had, where one paused', async () => {
    const desk = new Desk();
    const worker = desk.agent(
      'worker',
      callsTool('note', { key: 'items', value: 'changed' }),
      callsTool('publish'),
      echo,
      says('A.'),
      echo,
    );
    const behind = desk.agent('behind', says('Behind.'));
    const tree = workflow.sequence(
      workflow.map(worker, { itemsKey: 'items', concurrency: 1, name: 'all' }),
      behind,
      {
        name: 'top',
      },
    );
    const conversation = new Conversation(tree);
    const before = await conversation.say('Go.', { items: ['a', 'b'] });

    const after = await conversation.approve();

    expect(lines(before).at(-1)).toBe('top/all/worker@2: <b>');
    expect(lines(after)).toEqual([
      'top/all/worker: response publish',
      'top/all/worker: A.',
      'top/behind: Behind.',
    ]);
  });

  it('takes no list for nothing to do, and anything else for a fault', async () => {
    const desk = new Desk();
    const tree = workflow.map(desk.agent('worker'), { itemsKey: 'items', name: 'all' });
    const [none, text, empty] = [new Conversation(tree), new Conversation(tree), new Conversation(tree)];

    expect((await none.say()).map(({ errorMessage }) => errorMessage)).toEqual([
      'the state key "items" must hold a list, but is missing',
    ]);
    expect((await text.say('Go.', { items: 'abc' })).map(({ errorCode }) => errorCode)).toEqual([
      'ITEMS_INVALID',
    ]);
    expect(await empty.say('Go.', { items: [] })).toEqual([]);
  });
});
