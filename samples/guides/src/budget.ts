import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

/** Answers questions. */
@agent({ instruction: 'Be brief.' })
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk, {
  model: new ScriptedModel(says('At five.')),
  config: {
    budget: {
      tokens: 50_000,
      usd: 0.1,
      cost: ({ promptTokenCount = 0, candidatesTokenCount = 0 }) =>
        promptTokenCount * 0.000_000_3 + candidatesTokenCount * 0.000_002_5,
      ms: 60_000,
      bytes: 1_000_000,
    },
  },
});
console.log(await runner.ask('When do you close?', { userId: 'ada' }));
