import { createOpenAI } from '@ai-sdk/openai';
import { aiSdkModel } from '@adorn/ai-sdk';
import { saysText, startOpenAiEmulator } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

// A server on this machine stands in for OpenAI.
await using server = await startOpenAiEmulator([saysText('Hello.'), saysText('Hello again.')]);
process.env['OPENAI_API_KEY'] = 'test';
process.env['OPENAI_BASE_URL'] = `${server.url}/v1`;

class Dice {
  /** Roll a die. @param sides How many sides it has. */
  @tool roll(sides: number): number {
    return 1 + Math.floor(Math.random() * sides);
  }
}

/** Rolls dice. */
@agent({ model: 'openai/gpt-5-mini', tools: [Dice] })
class Clerk extends LlmAgent {}

const openai = createOpenAI();
const model = aiSdkModel(openai('gpt-5-mini'), {
  providerOptions: { openai: { reasoningEffort: 'low' } },
  providerTools: { web_search: openai.tools.webSearch() },
  retry: { attempts: 3 },
});

{
  await using runner = await createRunner(Clerk);
  console.log(await runner.ask('Hello', { userId: 'ada' }));
}
{
  await using runner = await createRunner(Clerk, { model });
  console.log(await runner.ask('Hello', { userId: 'ada' }));
}
