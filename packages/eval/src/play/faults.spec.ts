import type { PrincipalInput } from '@adorn/core/backend';
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

  it('during a tool happens when it has run and its response is not stored, each time that is named', async () => {
    const once = await played([{ kind: 'kill', during: 'refund' }], { reconcile: () => undefined });
    const again: EvalFault[] = [
      { kind: 'kill', behind: 1 },
      { kind: 'kill', during: 'refund' },
      { kind: 'kill', during: 'refund' },
    ];
    const thrice = await played(again, { idempotent: true });

    expect(once.paid).toEqual(['A-17', 'A-17']);
    expect(detailOf(once.result, 'no_double_effect')).toBe('refund {"order":"A-17"} happened again');
    expect(thrice.result).toMatchObject({ finalEvalStatus: 'passed' });
    expect(thrice.paid).toEqual(['A-17']);
  });

  it('that does not happen fails the case, and says which events there were', async () => {
    const { result } = await played([{ kind: 'kill', behind: 40 }]);

    expect(result.finalEvalStatus).toBe('failed');
    expect(detailOf(result, 'faults')).toBe(
      'the kill behind event 40 did not happen: 7 events were stored: 1 user says a text, 2 desk calls refund, ' +
        '3 desk calls adk_request_confirmation, 4 desk has the response of refund, ' +
        '5 user has the response of adk_request_confirmation, 6 desk has the response of refund, 7 desk says a text',
    );
  });

  it.each<[EvalFault, string]>([
    [
      { kind: 'kill', during: 'refnud' },
      'the kill during refnud did not happen (there is no tool refnud; did you mean refund?)',
    ],
    [
      { kind: 'refuse', tool: 'transferMoney' },
      'the fault refuse of transferMoney, call 1, did not happen (there is no tool transferMoney; there are refund, look)',
    ],
  ])('or another fault of a tool that does not exist names those that do: %j', async (fault, message) => {
    expect(detailOf((await played([fault])).result, 'faults')).toContain(message);
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

describe('approvers of a call', () => {
  const ROLES = ['manager'];
  const approvers = { role: 'manager', count: 2 } as const;

  it('are the first people of a list who may answer, and who have not approved yet', async () => {
    const by = ['ada', { id: 'mia', roles: ROLES }, { id: 'max', roles: ROLES }];
    const { result, paid } = await approved(by);

    expect(result.error).toBeUndefined();
    expect(paid).toEqual(['A-17']);
  });

  it('of whom too few are named get the error of the runner, which says what lacks', async () => {
    const { result } = await approved([{ id: 'mia', roles: ROLES }]);

    expect(result.error).toContain(
      'it has approved it already. Nothing was stored; the request stays pending. ',
    );
    expect(result.error).toMatch(/Another person has to approve it, too\.$/);
  });

  async function approved(by: readonly PrincipalInput[]) {
    const { runner, paid } = await openDesk(new RefundModel(), { approvers });
    const { caseResults } = await evaluate(runner, setOfCases(refundCase()), {
      ...{ metrics: [ANSWERED], approve: () => ({ approved: true, by }) },
    });
    return { result: caseResults[0] as EvalCaseResult, paid };
  }
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
