import { type EvalSet, evaluate, maxToolCalls, noDoubleEffect, noUnapprovedCall } from '@adorn/eval';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Payments {
  /**
   * Refund an order.
   * @param order Number of the order, such as "A-17".
   */
  @tool({ effect: 'destructive', idempotent: true })
  refund(order: string): { refunded: string } {
    return { refunded: order };
  }
}

@agent({ model: 'gemini-2.5-flash', instruction: 'Be brief.', tools: [Payments] })
class Desk extends LlmAgent {}

const set: EvalSet = {
  evalSetId: 'refunds',
  evalCases: [
    {
      evalId: 'a refund whose process dies',
      conversation: [{ userContent: { parts: [{ text: 'Refund order A-17' }] } }],
      // The money is on its way, and its process dies before it has stored the response.
      faults: [{ kind: 'kill', during: 'refund' }],
    },
  ],
};

it('refunds once, after a yes, though its process dies', async () => {
  const report = await evaluate(() => createRunner(Desk, { model: new OfflineModel() }), set, {
    metrics: [],
    gates: [noUnapprovedCall(), noDoubleEffect(), maxToolCalls({ calls: 1 })],
    approve: () => true,
    runs: 3,
  });

  report.assertPassed();
});
