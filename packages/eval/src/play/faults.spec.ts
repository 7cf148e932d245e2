import { callsTool, says } from '@adorn/testing';

import { openDesk, RefundModel, refundCase, setOfCases } from '../desk.fixture.js';
import { evaluate } from '../evaluate.js';
import type { EvalCaseResult } from '../eval-report.js';
import type { EvalFault } from '../eval-set.js';
import { noDoubleEffect } from '../gates/no-double-effect.js';

/** The events of a refund: message, call, question, interim response, approval, response, answer. */
const EVENTS = [1, 2, 3, 4, 5, 6, 7];

describe('a kill', () => {
  it.each(EVENTS.flatMap((place) => [{ behind: place }, { before: place }]))(
    '%j is recovered, and an idempotent refund is made once',
    async (where) => {
      const { result, paid } = await played([{ kind: 'kill', ...where }], { idempotent: true });

      expect(result).toMatchObject({ finalEvalStatus: 'passed' });
      expect(paid).toEqual(['A-17']);
      expect(answerOf(result)).toBe('Done.');
    },
  );

  it('between the effect and its response repeats what its service does not know by a key: the gate fails', async () => {
    // It says that the first run had no effect, which is wrong.
    const repeats = { reconcile: () => undefined };
    const { result, paid } = await played([{ kind: 'kill', before: 6 }], repeats);

    expect(paid).toEqual(['A-17', 'A-17']);
    expect(result.finalEvalStatus).toBe('failed');
    expect(detailOf(result, 'no_double_effect')).toBe('refund {"order":"A-17"} happened again');
  });

  it('of several processes, one after the other, is recovered', async () => {
    const faults: EvalFault[] = [
      { kind: 'kill', behind: 2 },
      { kind: 'kill', before: 6 },
      { kind: 'kill', behind: 6 },
    ];
    const { result, paid } = await played(faults, { idempotent: true });

    expect(result).toMatchObject({ finalEvalStatus: 'passed' });
    expect(paid).toEqual(['A-17']);
  });

  it('that does not happen fails the case, and says how many events there were', async () => {
    const { result } = await played([{ kind: 'kill', behind: 40 }]);

    expect(result.finalEvalStatus).toBe('failed');
    expect(detailOf(result, 'faults')).toBe('the kill behind event 40 did not happen: 7 events were stored');
  });
});

describe('a fault of a tool', () => {
  it('refuses, and the tool does not run', async () => {
    const { responses, paid } = await played([{ kind: 'refuse', tool: 'refund', reason: 'Closed.' }]);
    expect(responses).toEqual([{ error: 'tool call was denied', reason: 'Closed.' }]);
    expect(paid).toEqual([]);
  });

  it('times out before its effect, or behind it', async () => {
    const before = await played([{ kind: 'timeout', tool: 'refund' }]);
    expect([before.responses[0], before.paid]).toMatchObject([{ outcome: 'unknown' }, []]);
    const behind = await played([{ kind: 'timeout', tool: 'refund', hasEffect: true }]);
    expect([behind.responses[0], behind.paid]).toMatchObject([{ outcome: 'unknown' }, ['A-17']]);
  });

  it('limits a rate for as many calls as it says', async () => {
    const steps = [...Array.from({ length: 3 }, () => callsTool('refund', { order: 'A-17' })), says('Done.')];
    const fault: EvalFault = { kind: 'rateLimit', tool: 'refund', nth: 2, times: 1 };
    const { responses, paid } = await played([fault], {}, steps);
    expect(responses.map((response) => 'error' in response)).toEqual([false, true, false]);
    expect(paid).toHaveLength(2);
  });

  it('lies: it says that it ran', async () => {
    const fault: EvalFault = { kind: 'lie', tool: 'refund', response: { refunded: 'A-17' } };
    const { responses, paid } = await played([fault]);
    expect(responses).toEqual([{ refunded: 'A-17' }]);
    expect(paid).toEqual([]);
  });
});

describe('a fault of the model', () => {
  it.each(['rateLimit', 'timeout', 'refuse'] as const)(
    '%s fails the run, and the user says it again',
    async (kind) => {
      const { result, paid } = await played([{ kind }]);
      expect(result.finalEvalStatus).toBe('passed');
      expect(paid).toEqual(['A-17']);
    },
  );
});

describe('a stub', () => {
  it('is what a tool returns in a case, behind its approval', async () => {
    const asked: string[] = [];
    const { runner, paid } = await openDesk();
    const stubs = [
      { tool: 'refund', args: { order: 'A-16' }, response: { refunded: 'another' } },
      { tool: 'refund', args: { order: 'A-17' }, response: { refunded: 'stubbed' } },
    ];
    const report = await evaluate(runner, setOfCases(refundCase({ toolStubs: stubs })), {
      metrics: [ANSWERED],
      approve: ({ tool }) => {
        asked.push(tool);
        return true;
      },
    });

    report.assertPassed();
    expect([asked, paid]).toEqual([['refund'], []]);
    expect(responsesOf(report.caseResults[0])).toEqual([{ refunded: 'stubbed' }]);
  });

  it('fails a tool, and one that fits no call says so', async () => {
    const error = await stubbed({ tool: 'refund', error: 'The bank is closed.' });
    expect(error).toEqual([{ error: 'The bank is closed.' }]);
    const other = await stubbed({ tool: 'refund', args: { order: 'B' }, response: {} });
    expect(other).toEqual([{ error: 'The case has no stub of refund for {"order":"A-17"}.' }]);
  });

  async function stubbed(stub: { tool: string; args?: object; response?: unknown; error?: string }) {
    const { runner } = await openDesk();
    const set = setOfCases(refundCase({ toolStubs: [stub as never] }));
    const { caseResults } = await evaluate(runner, set, { metrics: [ANSWERED], approve: () => true });
    return responsesOf(caseResults[0]);
  }
});

const ANSWERED = { name: 'answered', description: '', threshold: 1, score: () => 1 };

async function played(
  faults: readonly EvalFault[],
  tool: Parameters<typeof openDesk>[1] = {},
  steps: Parameters<typeof openDesk>[0] = new RefundModel(),
) {
  const { runner, paid } = await openDesk(steps, tool);
  const { caseResults } = await evaluate(runner, setOfCases(refundCase({ faults })), {
    ...{ metrics: [ANSWERED], gates: [noDoubleEffect()], approve: () => true },
  });
  await runner.close();
  const result = caseResults[0] as EvalCaseResult;
  return { result, paid, responses: responsesOf(result) };
}

function responsesOf(result: EvalCaseResult | undefined): Record<string, unknown>[] {
  const { toolResponses = [] } =
    result?.evalMetricResultPerInvocation[0]?.actualInvocation.intermediateData ?? {};
  return toolResponses.map(({ response = {} }) => response);
}

function answerOf(result: EvalCaseResult): string | undefined {
  return result.evalMetricResultPerInvocation[0]?.actualInvocation.finalResponse?.parts?.[0]?.text;
}

function detailOf(result: EvalCaseResult, name: string): string | undefined {
  return result.overallEvalMetricResults.find(({ metricName }) => metricName === name)?.detail;
}
