import { type EvalReport, type EvalSet, evaluate, noUnapprovedCall, toolTrajectory } from '@adorn/eval';
import { OfflineModel } from '@adorn/testing';
import { createRunner, defineAgent, tool } from 'adorn';

import { expectPicture } from './picture.fixture.js';
import type { Step } from './picture-steps.fixture.js';
import type { Scene } from './picture-svg.fixture.js';

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

const scenes: Scene[] = [];
afterAll(() => expectPicture('10-evals', ...scenes));

it.each([
  ['asks first', Fees, 'passed'],
  ['does not ask', UnaskedFees, 'failed'],
])('of a tool that %s has %s', async (name, tools, status) => {
  const Desk = defineAgent({
    name: 'desk',
    description: 'Cares for fees.',
    tools: [tools],
  });

  const approvals: Step[] = [];
  const report = await evaluate(() => createRunner(Desk, { model: new OfflineModel() }), SET, {
    metrics: [toolTrajectory()],
    gates: [noUnapprovedCall()],
    approve: ({ hint = '' }) => {
      approvals.push(
        { from: 'desk', to: 'desk', text: hint, kind: 'waits' },
        { from: 'evaluation', to: 'desk', text: 'approves' },
      );
      return true;
    },
  });

  expect(report.status).toBe(status);
  scenes.push({ title: `A tool that ${name}: ${report.status}`, steps: stepsOf(report, approvals) });
});

/** What was played, and what the gates and metrics say of it. */
function stepsOf({ caseResults }: EvalReport, approvals: readonly Step[]): Step[] {
  const [played] = caseResults;
  const { userContent, intermediateData } = played!.evalMetricResultPerInvocation[0]!.actualInvocation;
  const calls = intermediateData?.toolUses ?? [];
  return [
    { from: 'evaluation', to: 'desk', text: `“${userContent.parts?.[0]?.text ?? ''}”` },
    ...approvals,
    ...calls.map(({ name = '', args }) => ({
      from: 'desk',
      to: name,
      text: `${name}(${JSON.stringify(args)})`,
    })),
    ...played!.overallEvalMetricResults.map(({ metricName, evalStatus, detail = '' }): Step => {
      const text = `${metricName}: ${evalStatus} ${detail}`.trim();
      return { from: 'evaluation', to: 'evaluation', text, kind: 'answer' };
    }),
  ];
}
