import { callsTool, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';
import { defineAgent, defineTool } from 'adorn';

const rolled: number[] = [];

const roll = defineTool({
  name: 'roll',
  description: 'Rolls dice.',
  parameters: { type: 'object', properties: { dice: { type: 'integer' } }, required: ['dice'] },
  run: ({ dice }) => rolled.push(Number(dice)),
});

describe('a run by steps', () => {
  it('stands where the test wants it', async () => {
    const croupier = defineAgent({ name: 'croupier', description: 'Rolls dice.', tools: [roll] });
    await using runner = await testRunner(croupier, {
      model: [callsTool('roll', { dice: 2 }), says('Done.')],
    });

    await using steps = runner.step({ userId: 'ada', message: 'Two dice, please' });

    const { contents } = await steps.toModelRequest();
    const { args } = await steps.toToolCall('roll');
    expect(rolled).toEqual([]);
    const event = await steps.toEvent();
    const { text } = await steps.toEnd();

    expect(contents).toHaveLength(1);
    expect(args).toEqual({ dice: 2 });
    expect(event.functionResponses).toHaveLength(1);
    expect(rolled).toEqual([2]);
    expect(text).toBe('Done.');
  });
});
