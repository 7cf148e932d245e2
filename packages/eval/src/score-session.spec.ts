import { openDesk, REFUND } from './desk.fixture.js';
import { noDoubleEffect } from './gates/no-double-effect.js';
import { noUnapprovedCall } from './gates/no-unapproved-call.js';
import { scoreSession } from './score-session.js';

describe('a stored conversation', () => {
  const gates = [noUnapprovedCall(), noDoubleEffect()];

  it('is scored by the gates and metrics of evaluations', async () => {
    const { runner } = await openDesk([...REFUND, ...REFUND], { confirm: false });
    const place = { userId: 'ada', sessionId: 's1' };
    for (const message of ['Refund A-17.', 'Again.']) await runner.run({ ...place, message });
    const metric = { name: 'short', description: '', threshold: 1, score: () => 1 };

    const result = await scoreSession(runner, place, { gates, metrics: [metric] });

    expect(result.finalEvalStatus).toBe('failed');
    expect(result.overallEvalMetricResults.map(({ metricName, score }) => [metricName, score])).toEqual([
      ['short', 1],
      ['no_unapproved_call', 2],
      ['no_double_effect', 1],
    ]);
    expect(result.evalMetricResultPerInvocation).toHaveLength(2);
  });

  it('that does not exist is refused', async () => {
    const { runner } = await openDesk();

    await expect(scoreSession(runner, { userId: 'ada', sessionId: 'x' }, { gates })).rejects.toMatchObject({
      code: 'EVAL_CONFIG_INVALID',
      message: expect.stringContaining('the user "ada" has no session "x"') as string,
    });
  });
});
