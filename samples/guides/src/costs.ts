import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdkModel } from '@adorn/ai-sdk';
import { callsFunctions, saysText, startAnthropicEmulator } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Orders {
  /** Find an order. @param order Its number, such as A-17. */
  @tool({ effect: 'read' })
  findOrder(order: string): string {
    return `${order} is on its way.`;
  }
}

/** Answers questions about orders. */
@agent({ instruction: 'Be kind and exact.\nThe customer is {user:name?}.', tools: [Orders] })
class Desk extends LlmAgent {}

// A server on this machine stands in for Anthropic.
const call = callsFunctions({ name: 'find_order', args: { order: 'A-17' } });
await using server = await startAnthropicEmulator([call, saysText('It is on its way.'), saysText('Bye.')]);
const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'test' });
await using runner = await createRunner(Desk, { model: aiSdkModel(anthropic('claude-sonnet-4-5')) });

const ada = { userId: 'ada', sessionId: 's1' };
await runner.ask('Where is A-17?', ada);
await runner.ask('Thank you.', ada);

const { system, messages } = server.requests.at(-1)?.body as {
  readonly system: readonly Block[];
  readonly messages: readonly { readonly content: readonly Block[] }[];
};
for (const block of [...system, ...messages.flatMap(({ content }) => content)])
  console.log(
    block.cache_control ? 'MARK' : '    ',
    (block.text ?? block.type).trim().replace(/\n+/g, ' / '),
  );

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly cache_control?: object;
}
