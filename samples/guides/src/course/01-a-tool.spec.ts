import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

class Coins {
  /**
   * Flip coins.
   * @param count How many. @minimum 1 @maximum 100
   */
  @tool({ effect: 'read' })
  flip(count: number): { heads: number } {
    const coins = Array.from({ length: count }, () => Math.random() < 0.5);
    return { heads: coins.filter(Boolean).length };
  }
}

/** Plays with dice and coins. */
@agent({ model: 'gemini-2.5-flash', tools: [Coins] })
class Player extends LlmAgent {}

it('flips as many coins as were asked for, and none below one', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.4);
  const model = new ScriptedModel(
    callsTool('flip', { count: 0 }),
    callsTool('flip', { count: 10 }),
    says('Done.'),
  );
  await using runner = await createRunner(Player, { model });

  const { events } = await runner.run({ userId: 'ada', message: 'Flip some coins.' });

  const [refused, flipped] = events.flatMap(({ functionResponses }) => functionResponses);
  expect(refused?.response).toEqual({ error: expect.stringContaining('count must be >= 1') });
  expect(flipped?.response).toEqual({ heads: 10 });
  await expectPicture('01-a-tool', await sceneOf(runner));
});
