import { type EvalSet, evaluate, simulatedUser } from '@adorn/eval';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

@agent({ model: 'gemini-2.5-flash', instruction: 'Be brief.' })
class Desk extends LlmAgent {
  /**
   * Refund an order.
   * @param order Number of the order.
   */
  @tool({ effect: 'destructive' })
  refund(order: string): { refunded: string } {
    return { refunded: order };
  }
}

const set: EvalSet = {
  evalSetId: 'users',
  evalCases: [
    {
      evalId: 'wants a refund',
      conversation: [],
      conversationScenario: {
        startingPrompt: 'I want my money back.',
        conversationPlan: 'Get the order A-17 refunded. Tell its number only if you are asked.',
        userPersona: { description: 'You are in a hurry, and write half sentences.' },
        patience: 6,
      },
      toolStubs: [{ tool: 'refund', args: { order: 'A-17' }, response: { refunded: 'A-17' } }],
    },
  ],
};

it('gets a user in a hurry what they want', async () => {
  // In place of two models that speak: one is the agent, and one plays the user.
  const agentModel = new ScriptedModel(
    says('Which order?'),
    callsTool('refund', { order: 'A-17' }),
    says('Done.'),
  );
  const userModel = new ScriptedModel(
    says('{"reason":"I was asked.","next":"say","message":"A-17"}'),
    says('{"reason":"I want it.","approved":true}'),
    says('{"reason":"It is refunded.","next":"reached","message":""}'),
  );
  await using runner = await createRunner(Desk, { model: agentModel });

  const report = await evaluate(runner, set, { metrics: [], user: simulatedUser({ model: userModel }) });

  report.assertPassed();
});
