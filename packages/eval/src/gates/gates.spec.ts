import type { FunctionToolFields } from '@adorn/core/backend';
import { callsTool, callsTools, says } from '@adorn/testing';

import { openDesk, REFUND, refundCase, setOfCases } from '../desk.fixture.js';
import { evaluate, type EvaluateOptions } from '../evaluate.js';
import type { EvalGate } from './gate.js';
import { maxCost, maxLatency, maxToolCalls, maxToolErrorRate } from './limits.js';
import { noCallAfterRefusal } from './no-call-after-refusal.js';
import { noDoubleEffect } from './no-double-effect.js';
import { noUnapprovedCall } from './no-unapproved-call.js';

describe('a gate', () => {
  it('fails a case whose scores are high enough, and is not counted away by passRate', async () => {
    const { runner } = await openDesk([says('Done.'), says('Done.')]);
    const metric = { name: 'good', description: '', threshold: 0.5, score: () => 1 };
    let runs = 0;
    const gate: EvalGate = {
      name: 'first',
      description: '',
      measure: () => ({ value: runs++ === 0 ? 1 : 0 }),
    };

    const options: EvaluateOptions = {
      metrics: [metric],
      gates: [gate],
      runs: 2,
      passRate: 0.5,
      concurrency: 1,
    };
    const report = await evaluate(runner, setOfCases(refundCase()), options);

    expect(report.caseResults.map(({ finalEvalStatus }) => finalEvalStatus)).toEqual(['failed', 'passed']);
    expect([report.status, report.failedGates]).toEqual(['failed', ['first']]);
    expect(String(report)).toContain('first 1 (> 0)');
  });

  it('does not stop a case from failing by its scores, of which passRate lets some fail', async () => {
    const statusFor = async (passRate: number): Promise<string> => {
      let runs = 0;
      const metric = { name: 'good', description: '', threshold: 0.5, score: () => runs++ };
      const { runner } = await openDesk([says('Done.'), says('Done.')]);
      const options = { metrics: [metric], runs: 2, passRate, concurrency: 1 };
      return (await evaluate(runner, setOfCases(refundCase()), options)).status;
    };

    expect([await statusFor(0.5), await statusFor(0.6)]).toEqual(['passed', 'failed']);
  });

  it('that throws, or gives no number, is an error of the case', async () => {
    const { runner } = await openDesk([says('Done.')]);
    const gates: EvalGate[] = [
      { name: 'nan', description: '', measure: () => ({ value: Number.NaN }) },
      {
        name: 'throws',
        description: '',
        measure: () => {
          throw new Error('Broken.');
        },
      },
    ];

    const { caseResults, status } = await evaluate(runner, setOfCases(refundCase()), { gates });

    expect(status).toBe('error');
    expect(caseResults[0]?.overallEvalMetricResults.flatMap(({ error }) => error ?? [])).toEqual([
      'the gate returned NaN, and no number',
      'Broken.',
    ]);
  });

  it('for a tool that does not exist is an error with the nearest name', async () => {
    expect(await valueOf(noDoubleEffect({ tools: ['refnd'] }), REFUND)).toBe(
      'There is no tool refnd. Did you mean refund? Valid: refund, look.',
    );
  });
});

describe('no_unapproved_call', () => {
  it('counts destructive calls that ran without an approval, and none that was approved', async () => {
    expect(await valueOf(noUnapprovedCall(), REFUND)).toBe(0);
    expect(await valueOf(noUnapprovedCall(), REFUND, { confirm: false })).toBe(1);
  });

  it('does not count a call that was rejected, nor one that it need not', async () => {
    expect(await valueOf(noUnapprovedCall(), REFUND, {}, { approve: () => false })).toBe(0);
    const isSmall = noUnapprovedCall({ unless: ({ args }) => args['order'] === 'A-17' });
    expect(await valueOf(isSmall, REFUND, { confirm: false })).toBe(0);
  });

  it('counts a call that failed after it had begun: it may have taken effect', async () => {
    const gate = noUnapprovedCall();
    expect(await valueOf(gate, REFUND, { confirm: false }, { stubs: { refund: fails } })).toBe(1);
  });

  it('counts calls of whatever tool asks for an approval, by confirm or by approvers', async () => {
    const approvers = { role: 'lead' } as const;
    const lost: Partial<FunctionToolFields>[] = [
      { effect: 'write', confirm: () => false },
      { effect: 'write', approvers, confirm: () => false },
      { effect: 'write', approvers, confirm: false },
    ];
    for (const options of lost) expect(await valueOf(noUnapprovedCall(), REFUND, options)).toBe(1);
    expect(await valueOf(noUnapprovedCall(), REFUND, { effect: 'write', confirm: true })).toBe(0);
    expect(await valueOf(noUnapprovedCall(), REFUND, { effect: 'write' })).toBe(0);
  });

  it('takes other tools than the destructive ones', async () => {
    const steps = [callsTool('look', { order: 'A-17' }), says('Done.')];
    expect(await valueOf(noUnapprovedCall(), steps)).toBe(0);
    expect(await valueOf(noUnapprovedCall({ tools: ['look'] }), steps)).toBe(1);
  });
});

describe('no_double_effect', () => {
  const twice = [
    callsTools({ name: 'refund', args: { order: 'A-17' } }, { name: 'refund', args: { order: 'A-17' } }),
    says('Done.'),
  ];

  it('counts effects that happened again, by their arguments or by a key', async () => {
    expect(await valueOf(noDoubleEffect(), REFUND)).toBe(0);
    expect(await valueOf(noDoubleEffect(), twice)).toBe(1);
    const others = [
      callsTool('refund', { order: 'A-17' }),
      callsTool('refund', { order: 'A-18' }),
      says('Done.'),
    ];
    expect(await valueOf(noDoubleEffect(), others)).toBe(0);
    expect(await valueOf(noDoubleEffect({ key: () => 'one' }), others)).toBe(1);
    expect(await valueOf(noDoubleEffect({ key: () => undefined }), twice)).toBe(0);
  });

  it('counts no effect of a call that failed or was rejected', async () => {
    expect(await valueOf(noDoubleEffect(), twice, {}, { approve: () => false })).toBe(0);
    expect(await valueOf(noDoubleEffect(), twice, {}, { stubs: { refund: fails } })).toBe(0);
  });

  it('does not count tools that only read, unless they are named', async () => {
    const steps = [callsTool('look', { order: 'A' }), callsTool('look', { order: 'A' }), says('Done.')];
    expect(await valueOf(noDoubleEffect(), steps)).toBe(0);
    expect(await valueOf(noDoubleEffect({ tools: ['look'] }), steps)).toBe(1);
  });
});

describe('no_call_after_refusal', () => {
  const again = [
    callsTool('refund', { order: 'A-17' }),
    callsTool('refund', { order: 'A-18' }),
    says('Done.'),
  ];

  it('counts calls of a tool that was rejected, until the user says something', async () => {
    const approve = (): boolean => false;
    expect(await valueOf(noCallAfterRefusal(), REFUND, {}, { approve })).toBe(0);
    expect(await valueOf(noCallAfterRefusal(), again, {}, { approve })).toBe(1);
    expect(await valueOf(noCallAfterRefusal({ args: 'equal' }), again, {}, { approve })).toBe(0);
    expect(await valueOf(noCallAfterRefusal({ tools: ['look'] }), again, {}, { approve })).toBe(0);
    expect(await valueOf(noCallAfterRefusal(), again)).toBe(0);
  });

  it('counts none after the next message', async () => {
    const turn = { userContent: { role: 'user', parts: [{ text: 'Again.' }] } };
    const set = setOfCases(refundCase({ conversation: [turn, turn] }));
    const { runner } = await openDesk([...REFUND, ...REFUND]);

    const report = await evaluate(runner, set, { gates: [noCallAfterRefusal()], approve: () => false });

    expect(report.status).toBe('passed');
  });
});

describe('limits', () => {
  const two = [callsTool('look', { order: 'A' }), ...REFUND];

  it('count calls, and the share of failed ones', async () => {
    expect(await valueOf(maxToolCalls({ calls: 1 }), two)).toBe(2);
    expect(await valueOf(maxToolCalls({ calls: 1, tools: ['look'] }), two)).toBe(1);
    expect(await valueOf(maxToolErrorRate({ rate: 0 }), two, {}, { stubs: { refund: fails } })).toBe(0.5);
    expect(await valueOf(maxToolErrorRate({ rate: 0 }), two, {}, { approve: () => false })).toBe(0);
  });

  it('measure the slowest turn, without the time of a person', async () => {
    const wait = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return true;
    };
    const value = await valueOf(maxLatency({ ms: 10_000 }), REFUND, {}, { approve: wait });
    expect(value).toBeLessThan(290);
  });

  it('sum costs, and refuse a model without a price', async () => {
    const usageMetadata = { promptTokenCount: 1_000_000, candidatesTokenCount: 1_000_000 };
    const answer = { content: { role: 'model', parts: [{ text: 'Done.' }] }, usageMetadata };
    const prices = { scripted: { input: 1, output: 2 } };
    expect(await valueOf(maxCost({ usd: 5, prices }), [answer])).toBe(3);
    expect(await valueOf(maxCost({ usd: 5 }), [answer])).toContain('is not known');
    expect(await valueOf(maxCost({ usd: 5 }), [{ ...answer, modelVersion: 'gpt-5-mini' }])).toBe(2.25);
  });

  it.each<[string, () => unknown]>([
    ['a limit below 0', () => maxToolCalls({ calls: -1 })],
    ['no limit', () => maxCost({} as never)],
    ['a misspelt option', () => maxLatency({ ms: 1, s: 1 } as never)],
    ['a misspelt option of a rate', () => maxToolErrorRate({ rate: 1, rates: 1 } as never)],
    ['null', () => noDoubleEffect(null as never)],
  ])('refuse %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'EVAL_CONFIG_INVALID' }) as Error);
  });
});

function fails(): never {
  throw new Error('Down.');
}

/** What a gate has measured of one conversation, or its error. */
async function valueOf(
  gate: EvalGate,
  steps: Parameters<typeof openDesk>[0],
  tool: Parameters<typeof openDesk>[1] = {},
  options: EvaluateOptions = {},
): Promise<number | string | undefined> {
  const { runner } = await openDesk(steps, tool);
  const { caseResults } = await evaluate(runner, setOfCases(refundCase()), {
    ...{ metrics: [], gates: [gate], approve: () => true },
    ...options,
  });
  await runner.close();
  const { error, overallEvalMetricResults } = caseResults[0] ?? {};
  if (error !== undefined) throw new Error(error);
  const found = overallEvalMetricResults?.find(({ metricName }) => metricName === gate.name);
  return found?.error ?? found?.score;
}
