import { callsTool, says } from '@adorn/testing';

import type { EvalCaseResult } from './eval-report.js';
import type { EvalCase } from './eval-set.js';
import { evaluate } from './evaluate.js';
import type { EvalMetric } from './metrics/metric.js';
import { responseMatch } from './metrics/response-match.js';
import { caseOf, openWeather, setOf } from './weather.fixture.js';

const OSLO = callsTool('get_weather', { city: 'Oslo' });
const CALL = ['get_weather', { city: 'Oslo' }] as const;

describe('an evaluation', () => {
  it('passes a case whose calls and answer are those expected', async () => {
    await using runner = await openWeather(OSLO, says('Oslo is clear.'));

    const report = await evaluate(runner, setOf(caseOf('oslo', 'Oslo is clear', [CALL])));

    expect(report.status).toBe('passed');
    expect(report.caseResults).toMatchObject([
      {
        evalSetId: 'weather',
        evalId: 'oslo',
        finalEvalStatus: 'passed',
        overallEvalMetricResults: [
          { metricName: 'tool_trajectory_avg_score', score: 1, threshold: 1, evalStatus: 'passed' },
          { metricName: 'response_match_score', score: 1, threshold: 0.8, evalStatus: 'passed' },
        ],
      },
    ]);
    expect(() => {
      report.assertPassed();
    }).not.toThrow();
  });

  it('fails a case, and says what was expected and what was found', async () => {
    await using runner = await openWeather(callsTool('get_weather', { city: 'Bergen' }), says('It rains.'));

    const report = await evaluate(runner, setOf(caseOf('oslo', 'Oslo is clear', [CALL])));

    expect(report.status).toBe('failed');
    expect(() => {
      report.assertPassed();
    }).toThrow(
      expect.objectContaining({
        code: 'EVALS_FAILED',
        message: [
          '1 of 1 cases have not passed.',
          'FAILED   oslo  tool_trajectory_avg_score 0.00 (< 1)  response_match_score 0.00 (< 0.8)',
          '         turn 1: How is Oslo?',
          '           expected  get_weather {"city":"Oslo"}, "Oslo is clear"',
          '           found     get_weather {"city":"Bergen"}, "It rains."',
        ].join('\n'),
      }) as Error,
    );
  });

  it('plays the turns of a case in one session, which begins with the state of the case', async () => {
    await using runner = await openWeather(says('Hello Ada.'), OSLO, says('Clear.'));
    const [first] = caseOf('two', 'Hello Ada').conversation;
    const [second] = caseOf('two', 'Clear', [CALL]).conversation;
    const two = {
      evalId: 'two',
      conversation: [first, second],
      sessionInput: { userId: 'ada', state: { name: 'Ada' } },
    } as EvalCase;

    const report = await evaluate(runner, setOf(two), { keepSessions: true });
    const [{ sessionId, userId } = { sessionId: '', userId: '' }] = report.caseResults;
    const session = await runner.sessions.getSession({ appName: runner.appName, userId, sessionId });

    expect(report.status).toBe('passed');
    expect([userId, session?.state['name'], session?.events.length]).toEqual(['ada', 'Ada', 6]);
    expect(session?.title).toBe('Evaluation of two');
  });

  it('scores a case by the mean of its turns', async () => {
    await using runner = await openWeather(says('one two'), says('one'));
    const turns = [caseOf('a', 'one two'), caseOf('b', 'one two')].flatMap(
      ({ conversation }) => conversation,
    );

    const report = await evaluate(runner, setOf({ evalId: 'mean', conversation: turns }), {
      metrics: [responseMatch({ threshold: 0.75 })],
    });

    expect(report.caseResults[0]?.overallEvalMetricResults).toEqual([
      { metricName: 'response_match_score', score: 0.75, threshold: 0.75, evalStatus: 'passed' },
    ]);
  });

  it('evaluates nothing where nothing is expected', async () => {
    await using runner = await openWeather(says('Clear.'));

    const report = await evaluate(runner, setOf(caseOf('free', undefined)));

    expect(report.status).toBe('notEvaluated');
    expect(String(report)).toContain('no expectations');
  });

  it('leaves no session behind, unless it is asked to', async () => {
    await using runner = await openWeather(says('Clear.'));
    await evaluate(runner, setOf(caseOf('oslo', 'Clear')));

    const { appName, sessions } = runner;
    await expect(sessions.listSessions({ appName, userId: 'eval_user' })).resolves.toEqual([]);
  });

  it('plays each case as often as asked, and tells each when it ends', async () => {
    await using runner = await openWeather(says('Clear.'), says('Rain.'), says('Clear.'));
    const seen: EvalCaseResult[] = [];

    const report = await evaluate(runner, setOf(caseOf('oslo', 'Clear')), {
      runs: 3,
      concurrency: 1,
      onCase: (result) => seen.push(result),
    });

    expect(report.caseResults.map(({ run, finalEvalStatus }) => [run, finalEvalStatus])).toEqual([
      [1, 'passed'],
      [2, 'failed'],
      [3, 'passed'],
    ]);
    expect(seen).toEqual(report.caseResults);
    expect([report.count('passed'), report.count('failed')]).toEqual([2, 1]);
    expect(String(report)).toContain('FAILED   oslo (run 2)');
  });

  it('plays the cases that are named, and refuses one that the set does not have', async () => {
    await using runner = await openWeather(says('Clear.'));
    const set = setOf(caseOf('oslo', 'Clear'), caseOf('bergen', 'Rain'));

    const report = await evaluate(runner, set, { cases: ['oslo'] });

    expect(report.caseResults.map(({ evalId }) => evalId)).toEqual(['oslo']);
    await expect(evaluate(runner, set, { cases: ['rome'] })).rejects.toMatchObject({
      code: 'EVAL_SET_INVALID',
      message: expect.stringContaining('it has no case "rome", but oslo, bergen') as string,
    });
  });

  it.each<[string, object, string]>([
    ['an option that does not exist', { run: 2 }, 'evaluate: there is no option run. Did you mean runs?'],
    ['no runs', { runs: 0 }, 'evaluate: runs is 0. Pass a whole number above 0.'],
    ['half a case at once', { concurrency: 0.5 }, 'evaluate: concurrency is 0.5.'],
    ['NaN', { runs: Number.NaN }, 'evaluate: runs is NaN.'],
    [
      'a metric that is null',
      { metrics: [null] },
      'evaluate: metrics is a list. Pass a list such as [toolTrajectory()]',
    ],
    ['a metric without a score', { metrics: [{ name: 'a', threshold: 1 }] }, 'evaluate: metrics is a list.'],
  ])('is refused with %s, and plays nothing', async (_what, options, message) => {
    await using runner = await openWeather();

    await expect(evaluate(runner, setOf(caseOf('oslo', 'Clear')), options)).rejects.toMatchObject({
      code: 'EVAL_CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });

  it('of no cases, or of a case without turns, evaluates nothing', async () => {
    await using runner = await openWeather();

    expect((await evaluate(runner, setOf())).status).toBe('notEvaluated');
    expect((await evaluate(runner, setOf({ evalId: 'empty', conversation: [] }))).status).toBe(
      'notEvaluated',
    );
  });

  it('has an error for a conversation that cannot be played, and plays the others', async () => {
    await using runner = await openWeather(() => {
      throw new Error('The model is down.');
    }, says('Clear.'));
    const set = setOf(caseOf('broken', 'Clear'), caseOf('whole', 'Clear'));

    const report = await evaluate(runner, set, { concurrency: 1 });

    expect(report.caseResults.map(({ finalEvalStatus }) => finalEvalStatus)).toEqual(['error', 'passed']);
    expect(report.status).toBe('error');
    expect(report.caseResults[0]?.error).toContain('The model is down.');
  });

  it('has an error for a metric that throws, or gives no number', async () => {
    await using runner = await openWeather(says('Clear.'), says('Clear.'));
    const metric = (name: string, score: EvalMetric['score']): EvalMetric => ({
      ...{ name, score, description: '', threshold: 1 },
    });
    const metrics = [
      metric('throws', () => {
        throw new Error('No judge.');
      }),
      metric('no_number', () => Number.NaN),
    ];

    const { status, caseResults } = await evaluate(runner, setOf(caseOf('oslo', 'Clear')), { metrics });

    expect(status).toBe('error');
    expect(caseResults[0]?.overallEvalMetricResults.map(({ error }) => error)).toEqual([
      'No judge.',
      'the metric returned NaN, and no number',
    ]);
  });

  it('answers approvals as it is told', async () => {
    const steps = [callsTool('book_tour', {}), says('Done.')];
    const set = setOf(caseOf('tour', 'Done', [['book_tour', {}]]));
    await using runner = await openWeather(...steps, ...steps);

    const report = await evaluate(runner, set, { approve: ({ tool }) => tool === 'book_tour' });

    expect(report.status).toBe('passed');
    expect(report.caseResults[0]?.evalMetricResultPerInvocation[0]?.actualInvocation).toMatchObject({
      finalResponse: { parts: [{ text: 'Done.' }] },
      intermediateData: { toolUses: [{ name: 'book_tour', args: {} }] },
    });
  });

  it('ends a case whose approval nobody decides, and says of which call', async () => {
    await using runner = await openWeather(callsTool('book_tour', {}), says('Never.'));

    const { caseResults } = await evaluate(runner, setOf(caseOf('tour', 'Done')));

    expect(caseResults[0]).toMatchObject({
      finalEvalStatus: 'error',
      error:
        'The run waits for confirmation of "book_tour". Pass the option approve, or a user that answers it.',
    });
  });

  it('ends when it is aborted', async () => {
    await using runner = await openWeather(says('Clear.'), says('Clear.'));
    const stop = new AbortController();
    const set = setOf(caseOf('one', 'Clear'), caseOf('two', 'Clear'));

    const report = await evaluate(runner, set, {
      ...{ concurrency: 1, signal: stop.signal },
      onCase: () => {
        stop.abort(new Error('Enough.'));
      },
    });

    expect(report.caseResults.map(({ error }) => error)).toEqual([undefined, 'Enough.']);
  });
});
