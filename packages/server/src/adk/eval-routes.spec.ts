import { type EvalSet, InMemoryEvalStore } from '@adorn/eval';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { Orders } from '../desk.fixture.js';
import { TestDesk, type TestRequest } from '../request.fixture.js';

const SETS = '/dev/apps/desk/eval_sets';
const METRICS = [
  { metricName: 'tool_trajectory_avg_score', threshold: 1 },
  { metricName: 'response_match_score', threshold: 0.8 },
];
const LOOK = [callsTool('find_order', { orderId: 'W1' }), says('W1 is shipped.')];

describe('the evaluations of adk-web', () => {
  it('create, list and delete sets', async () => {
    await using desk = await open();
    await desk.dev('/dev/apps/desk/eval-sets', {
      body: { eval_set: { eval_set_id: 'orders', model_execution_mode: 'live', eval_cases: [] } },
    });

    expect(await desk.dev(SETS)).toEqual(['orders']);
    expect(await desk.dev(`${SETS}/orders`)).toMatchObject({ evalSetId: 'orders', evalCases: [] });
    expect(await desk.dev(`${SETS}/orders/evals`)).toEqual([]);

    await desk.dev(`${SETS}/orders`, { method: 'DELETE' });
    expect(await desk.dev(SETS)).toEqual([]);
  });

  it('add a conversation as a case, run it, and keep the result', async () => {
    await using desk = await open(...LOOK, ...LOOK);
    await desk.talk('Where is W1?');
    await desk.addCase('w1');

    const [result] = await desk.dev<Result[]>(`${SETS}/orders/run_eval`, {
      body: { evalIds: ['w1'], evalMetrics: METRICS },
    });
    const [id = ''] = await desk.dev<string[]>('/dev/apps/desk/eval_results');
    const kept = await desk.dev<KeptResult>(`/dev/apps/desk/eval_results/${encodeURIComponent(id)}`);

    expect(result).toMatchObject({
      ...{ evalSetId: 'orders', evalId: 'w1', userId: 'dev', finalEvalStatus: 1 },
      overallEvalMetricResults: [
        { metricName: 'tool_trajectory_avg_score', threshold: 1, score: 1, evalStatus: 1 },
        { metricName: 'response_match_score', threshold: 0.8, score: 1, evalStatus: 1 },
      ],
      evalMetricResultPerInvocation: [
        { actualInvocation: { finalResponse: { parts: [{ text: 'W1 is shipped.' }] } } },
      ],
    });
    expect(id).toBe(`desk_orders_${String(kept.creationTimestamp)}`);
    expect(kept).toMatchObject({
      evalSetId: 'orders',
      evalCaseResults: [{ evalId: 'w1', finalEvalStatus: 1, sessionDetails: { id: result?.sessionId } }],
    });
  });

  it('add a conversation of the caller where no user is named', async () => {
    await using desk = await open(...LOOK);
    await desk.talk('Where is W1?');
    await desk.create();

    await desk.dev(`${SETS}/orders/add_session`, { body: { evalId: 'w1', sessionId: 's1' } });

    expect(await desk.dev(`${SETS}/orders/evals`)).toEqual(['w1']);
  });

  it('tell a case that has failed', async () => {
    await using desk = await open(...LOOK, callsTool('find_order', { orderId: 'W2' }), says('Who knows?'));
    await desk.talk('Where is W1?');
    await desk.addCase('w1');

    const results = await desk.dev<Result[]>(`${SETS}/orders/run_eval`, { body: { evalMetrics: METRICS } });

    expect(results.map(({ finalEvalStatus }) => finalEvalStatus)).toEqual([2]);
  });

  it('are run by the paths of newer servers, in snake case', async () => {
    await using desk = await open(...LOOK, ...LOOK);
    await desk.talk('Where is W1?');
    await desk.addCase('w1');

    const results = await desk.dev<Result[]>('/dev/apps/desk/eval-sets/orders/run', {
      body: {
        eval_case_ids: ['w1'],
        eval_metrics: [{ metric_name: 'response_match_score', criterion: { threshold: 0.5 } }],
      },
    });

    expect(results.map(({ finalEvalStatus }) => finalEvalStatus)).toEqual([1]);
  });

  it('read, change and delete a case', async () => {
    await using desk = await open(...LOOK);
    await desk.talk('Where is W1?');
    await desk.addCase('w1');
    const path = `${SETS}/orders/evals/w1`;
    const found = await desk.dev<EvalSet['evalCases'][number]>(path);
    const [turn] = found.conversation;

    await desk.dev(path, {
      method: 'PUT',
      body: {
        ...found,
        conversation: [{ ...turn, finalResponse: { role: 'model', parts: [{ text: 'Shipped.' }] } }],
      },
    });

    expect(await desk.dev(path)).toMatchObject({
      evalId: 'w1',
      conversation: [{ finalResponse: { parts: [{ text: 'Shipped.' }] } }],
    });
    await desk.dev(path, { method: 'DELETE' });
    expect(await desk.dev(`${SETS}/orders/evals`)).toEqual([]);
  });

  it('offer the metrics with their intervals', async () => {
    await using desk = await open();

    const { metricsInfo } = await desk.dev<{ metricsInfo: object[] }>('/dev/apps/desk/metrics-info');

    expect(metricsInfo[0]).toEqual({
      metricName: 'tool_trajectory_avg_score',
      description: 'The share of the expected tool calls that were made, in their order.',
      metricValueInfo: { interval: { minValue: 0, openAtMin: false, maxValue: 1, openAtMax: false } },
    });
  });

  it('judge with the model of the server, and refuse a metric that needs one without it', async () => {
    const verdicts = Array.from({ length: 5 }, () => says('{"reason":"So.","isValid":true}'));
    const judge = new ScriptedModel(...verdicts);
    const body = { evalMetrics: [{ metricName: 'final_response_match_v2', threshold: 0.5 }] };
    for (const [given, status] of [
      [judge, 200],
      [undefined, 400],
    ] as const) {
      await using desk = await open(...LOOK, ...LOOK);
      await desk.talk('Where is W1?');
      await desk.addCase('w1');
      desk.options.judge = given;

      const response = await desk.send(`${SETS}/orders/run_eval`, { body, user: 'dev' });
      expect(response.status).toBe(status);
    }
  });

  it.each<[string, number, string, TestRequest?]>([
    ['a set that does not exist', 404, `${SETS}/none`],
    ['a case that does not exist', 404, `${SETS}/orders/evals/none`],
    ['a result that does not exist', 404, '/dev/apps/desk/eval_results/none'],
    ['an application that does not exist', 404, '/dev/apps/none/eval_sets'],
    ['a set without an id', 400, SETS, { body: { eval_set: { eval_cases: [] } } }],
    ['a set whose cases are no list', 400, SETS, { body: { eval_set: { eval_set_id: 'x', eval_cases: 7 } } }],
    ['no metrics', 400, `${SETS}/orders/run_eval`, { body: {} }],
    ['a metric that is null', 400, `${SETS}/orders/run_eval`, { body: { evalMetrics: [null] } }],
    [
      'an unknown metric',
      400,
      `${SETS}/orders/run_eval`,
      { body: { evalMetrics: [{ metricName: 'wisdom' }] } },
    ],
    [
      'an unknown case',
      400,
      `${SETS}/orders/run_eval`,
      { body: { evalIds: ['none'], evalMetrics: METRICS } },
    ],
    [
      "another user's session",
      404,
      `${SETS}/orders/add_session`,
      { body: { evalId: 'x', sessionId: 's1', userId: 'ada' } },
    ],
  ])('refuse %s', async (_what, status, path, request = {}) => {
    await using desk = await open();
    await desk.session('s1');
    await desk.create();

    expect((await desk.send(path, { user: 'dev', ...request })).status).toBe(status);
  });

  it('are for developers, and absent without a store', async () => {
    await using desk = await open();
    await using without = await TestDesk.open([]);

    expect((await desk.send(SETS)).status).toBe(403);
    expect((await desk.send(`${SETS}/orders/run_eval`, { body: {} })).status).toBe(403);
    expect((await without.send(SETS, { user: 'dev' })).status).toBe(404);
  });

  it('play a case as whoever runs it, whatever user it names', async () => {
    await using desk = await open(...LOOK);
    await desk.create({
      eval_id: 'x',
      conversation: [{ user_content: { parts: [{ text: 'Hi' }] } }],
      session_input: { user_id: 'ada' },
    });

    const [result] = await desk.dev<Result[]>(`${SETS}/orders/run_eval`, { body: { evalMetrics: METRICS } });

    expect(result).toMatchObject({ userId: 'dev', finalEvalStatus: 3 });
  });
});

interface Result {
  readonly sessionId: string;
  readonly finalEvalStatus: number;
}

interface KeptResult {
  readonly creationTimestamp: number;
}

/** A desk with a store of evaluations, and what a developer does with it. */
async function open(...steps: Parameters<typeof TestDesk.open>[0][number][]) {
  Orders.refunds.length = 0;
  const options: { store: InMemoryEvalStore; judge?: ScriptedModel | undefined } = {
    store: new InMemoryEvalStore(),
  };
  const desk = await TestDesk.open(steps, { evals: options });
  const dev = async <Value>(path: string, request: TestRequest = {}): Promise<Value> => {
    const response = await desk.send(path, { user: 'dev', ...request });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Value;
  };
  const create = (...cases: readonly object[]): Promise<unknown> =>
    dev('/dev/apps/desk/eval-sets', { body: { eval_set: { eval_set_id: 'orders', eval_cases: cases } } });
  return {
    ...{ options, dev, create },
    send: desk.send.bind(desk),
    session: desk.session.bind(desk),
    talk: (message: string) => desk.runner.ask(message, { userId: 'dev', sessionId: 's1' }),
    addCase: async (evalId: string): Promise<void> => {
      await create();
      await dev(`${SETS}/orders/add_session`, { body: { evalId, sessionId: 's1', userId: 'dev' } });
    },
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  };
}
