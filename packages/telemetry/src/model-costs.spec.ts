import { agentTool, createRunner, defineAgent, type ModelResponse } from '@adorn/core';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { Collected } from './collected.fixture.js';
import { TelemetryPlugin } from './index.js';

const PRICES = { scripted: { input: 2, cachedInput: 0.2, output: 10 } };

/** A thousand tokens in, of which 500 are cached, and a hundred out: 2,100 millionths of a dollar. */
const used = (response: ModelResponse): ModelResponse => ({
  ...response,
  usageMetadata: { promptTokenCount: 1_000, cachedContentTokenCount: 500, candidatesTokenCount: 100 },
});

const COST = 'adorn.cost.usd';

/** The costs of the spans that have one, by their names, in the order of their ends. */
const costsOf = ({ spans }: Collected) =>
  spans.flatMap(({ name, attributes }) => (COST in attributes ? [[name, attributes[COST]]] : []));

async function played(steps: readonly ScriptedStep[], prices: object | undefined = PRICES) {
  const expert = defineAgent({ name: 'expert', description: 'Knows.' });
  const Clerk = defineAgent({ name: 'clerk', description: 'Helps.', tools: [agentTool(expert)] });
  const runner = await createRunner(Clerk, {
    model: new ScriptedModel(...steps),
    appName: 'app',
    plugins: [new TelemetryPlugin({ prices } as never)],
  });
  return { runner, say: () => runner.run({ userId: 'ada', sessionId: 's1', message: 'Hi!' }) };
}

describe('the costs of spans', () => {
  it('are those of each model call, and of the run the sum, with those of agents that are tools', async () => {
    await using collected = new Collected();
    const { runner, say } = await played([
      used(callsTool('expert', { request: 'Why?' })),
      used(says('So.')),
      used(says('Done.')),
    ]);

    await say();

    expect(costsOf(collected)).toEqual([
      ['chat scripted', 0.0021],
      ['chat scripted', 0.0021],
      ['chat scripted', 0.0021],
      ['invoke_agent app', expect.closeTo(0.0063, 8)],
    ]);
    await runner.close();
  });

  it('are those of one run each', async () => {
    await using collected = new Collected();
    const { runner, say } = await played([used(says('One.')), used(says('Two.'))]);

    await say();
    await say();

    expect(costsOf(collected)).toEqual([
      ['chat scripted', 0.0021],
      ['invoke_agent app', 0.0021],
      ['chat scripted', 0.0021],
      ['invoke_agent app', 0.0021],
    ]);
    await runner.close();
  });

  it('are by the version that answered, if its price is known', async () => {
    await using collected = new Collected();
    const { runner, say } = await played([{ ...used(says('One.')), modelVersion: 'gpt-5-nano-2025-08-07' }]);

    await say();

    expect(costsOf(collected)[0]).toEqual(['chat scripted', expect.closeTo(0.0000675, 10)]);
    await runner.close();
  });

  it('are left out where the price of a model is not known: no sum says too little', async () => {
    await using collected = new Collected();
    const { runner, say } = await played(
      [{ ...used(callsTool('nothing')), modelVersion: 'gpt-5-2025-08-07' }, used(says('Done.'))],
      {},
    );

    await say();

    expect(costsOf(collected)).toEqual([['chat scripted', expect.any(Number)]]);
    await runner.close();
  });

  it('are none where the model reported no usage', async () => {
    await using collected = new Collected();
    const { runner, say } = await played([says('Hi.')]);

    await say();

    expect(costsOf(collected)).toEqual([]);
    await runner.close();
  });

  it.each([null, 'cheap', [1], { gpt: 3 }, { gpt: { input: -1, output: 1 } }, { gpt: { input: 1 } }])(
    'refuses the prices %j',
    (prices) => {
      expect(() => new TelemetryPlugin({ prices } as never)).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' }) as Error,
      );
    },
  );
});
