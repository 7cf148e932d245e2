import { recorded } from '@adorn/testing';
import { agent, createRunner, GeminiModel, LlmAgent, tool } from 'adorn';

class Orders {
  /**
   * Find an order.
   * @param id Order number, such as "A-17".
   */
  @tool({ effect: 'read' })
  findOrder(id: string): { status: string } {
    return { status: id === 'A-17' ? 'shipped' : 'unknown' };
  }
}

/** Tells customers where their orders are. */
@agent({ instruction: 'Say in one sentence where the order is.', tools: [Orders] })
class Desk extends LlmAgent {}

describe('the order desk', () => {
  it('says where an order is', async () => {
    const cassette = new URL('../cassettes/where-is-my-order.cassette.json', import.meta.url);
    const model = recorded(new GeminiModel({ model: 'gemini-2.5-flash' }), cassette);
    await using runner = await createRunner(Desk, { model });

    const { events, text } = await runner.run({ userId: 'ada', message: 'Where is A-17?' });

    expect(events.flatMap(({ functionCalls }) => functionCalls)).toMatchObject([{ args: { id: 'A-17' } }]);
    expect(text).toMatch(/shipped/i);
    model.assertDone();
  });
});
