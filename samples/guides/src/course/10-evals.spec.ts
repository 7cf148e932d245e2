import { type EvalSet, evaluate, noUnapprovedCall, toolTrajectory } from '@adorn/eval';
import { OfflineModel } from '@adorn/testing';
import { createRunner, defineAgent, tool } from 'adorn';

class Fees {
  /** Waive the fee of a reader. @param reader Name, such as "Ada". */
  @tool({ effect: 'destructive', idempotent: true })
  waiveFee(reader: string): { waived: string } {
    return { waived: reader };
  }
}

class UnaskedFees {
  /** Waive the fee of a reader. @param reader Name, such as "Ada". */
  @tool({ effect: 'destructive', idempotent: true, confirm: false })
  waiveFee(reader: string): { waived: string } {
    return { waived: reader };
  }
}

const SET: EvalSet = {
  evalSetId: 'fees',
  evalCases: [
    {
      evalId: 'waives a fee',
      conversation: [
        {
          userContent: { parts: [{ text: 'Waive the fee of reader Ada' }] },
          intermediateData: { toolUses: [{ name: 'waive_fee', args: { reader: 'Ada' } }] },
        },
      ],
    },
  ],
};

it.each([
  ['asks first', Fees, 'passed'],
  ['does not ask', UnaskedFees, 'failed'],
])('of a tool that %s has %s', async (_, tools, status) => {
  const Desk = defineAgent({
    name: 'desk',
    description: 'Cares for fees.',
    tools: [tools],
  });

  const report = await evaluate(() => createRunner(Desk, { model: new OfflineModel() }), SET, {
    metrics: [toolTrajectory()],
    gates: [noUnapprovedCall()],
    approve: () => true,
  });

  expect(report.status).toBe(status);
});
