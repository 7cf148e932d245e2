import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Payments {
  /**
   * Pays an order back.
   *
   * @param order the number of the order
   * @param cents the amount
   */
  @tool({ effect: 'write', once: (order) => ({ order }) })
  refund(order: string, cents: number) {
    console.log(`the bank pays ${String(cents)} cents for ${order}`);
    return { receipt: `R-${order}` };
  }
}

// Two conversations ask for the same refund.
const model = new ScriptedModel(
  callsTool('refund', { order: 'A-17', cents: 900 }),
  says('It is on its way.'),
  callsTool('refund', { order: 'A-17', cents: 950 }),
  says('That was done before.'),
);

@agent({ model, tools: [Payments] })
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk);

for (const [userId, sessionId] of [
  ['ada', 's1'],
  ['bob', 's2'],
] as const) {
  const { events, text } = await runner.run({ userId, sessionId, message: 'My money back, please.' });
  const [response] = events.flatMap(({ functionResponses }) => functionResponses);
  const { doneBefore, ...result } = response?.response ?? {};
  console.log(result, doneBefore === undefined ? 'now' : 'before', '-', text);
}
