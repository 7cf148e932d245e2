import { says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { EvalInvocation } from '../eval-set.js';
import { judgedResponse } from './judged-response.js';
import type { EvalMetric } from './metric.js';
import { metricsOf } from './named-metrics.js';
import { responseMatch } from './response-match.js';
import { rubrics } from './rubrics.js';
import { toolTrajectory } from './tool-trajectory.js';

describe('the trajectory', () => {
  it.each<[string, string, string, number, number, number]>([
    ['nothing of nothing', '', '', 1, 1, 1],
    ['the same', 'a b', 'a b', 1, 1, 1],
    ['one of two', 'a', 'a b', 0.5, 0.5, 0.5],
    ['one too many', 'a b', 'a', 0.5, 1, 1],
    ['another', 'b', 'a', 0, 0, 0],
    ['two that are swapped', 'b a', 'a b', 0, 0.5, 1],
    ['one in between', 'a x b', 'a b', 1 / 3, 1, 1],
    ['one twice, expected twice', 'a a', 'a a', 1, 1, 1],
    ['one once, expected twice', 'a', 'a a', 0.5, 0.5, 0.5],
    ['nothing, expected', '', 'a', 0, 0, 0],
    ['something, not expected', 'a', '', 0, 1, 1],
  ])('of %s', (_what, actual, expected, exact, inOrder, anyOrder) => {
    const scores = (['exact', 'inOrder', 'anyOrder'] as const).map((matching) =>
      toolTrajectory({ matching }).score(turnOf({ calls: actual }), turnOf({ calls: expected })),
    );

    expect(scores).toEqual([exact, inOrder, anyOrder]);
  });

  it('compares arguments, in whatever order their keys are, unless they are ignored', async () => {
    const withArgs = (args: object): EvalInvocation => ({
      ...turnOf({}),
      intermediateData: { toolUses: [{ name: 'a', args: args as Record<string, unknown> }] },
    });
    const [given, swapped, other] = [
      { x: 1, y: [1] },
      { y: [1], x: 1 },
      { x: 1, y: [2] },
    ].map(withArgs);
    const score = (options: object, actual: EvalInvocation | undefined): unknown =>
      toolTrajectory(options).score(actual ?? turnOf({}), given ?? turnOf({}));

    expect(
      await Promise.all([score({}, swapped), score({}, other), score({ args: 'ignored' }, other)]),
    ).toEqual([1, 0, 1]);
  });

  it('is not evaluated where no calls are expected or excluded', () => {
    expect(toolTrajectory().score(turnOf({ calls: 'a' }), turnOf({}))).toBeUndefined();
  });
});

describe('the match of answers', () => {
  it.each([
    ['the same', 'It is clear.', 'It is clear.', 1],
    ['other punctuation and case', 'IT is: clear', 'it is clear!', 1],
    ['more than expected', 'It is clear and cold.', 'clear', 1],
    ['half', 'clear', 'clear sky', 0.5],
    ['a word once that is expected twice', 'very', 'very very', 0.5],
    ['nothing', '', 'clear', 0],
    ['other letters', 'Ωραία μέρα', 'ωραία', 1],
    ['no part of a word', 'clearly', 'clear', 0],
  ])('of %s', (_what, actual, expected, score) => {
    expect(responseMatch().score(turnOf({ answer: actual }), turnOf({ answer: expected }))).toBe(score);
  });

  it('is not evaluated where no answer is expected', () => {
    expect(responseMatch().score(turnOf({ answer: 'a' }), turnOf({}))).toBeUndefined();
    expect(responseMatch().score(turnOf({ answer: 'a' }), turnOf({ answer: '…' }))).toBeUndefined();
  });
});

describe('a judge', () => {
  it('holds with the majority of its verdicts', async () => {
    const verdict = (isValid: boolean): ScriptedStep => says(JSON.stringify({ reason: 'So.', isValid }));
    const model = new ScriptedModel(verdict(true), verdict(false), verdict(true));

    await expect(scored(judgedResponse({ model, samples: 3 }))).resolves.toBe(1);
    expect(JSON.stringify(model.requests[0]?.contents)).toContain(
      '<question>\\nHow is Oslo?\\n</question>\\n<reference>\\nclear\\n</reference>\\n<answer>\\nIt is clear.\\n</answer>',
    );

    const other = new ScriptedModel(verdict(true), verdict(false));
    await expect(scored(judgedResponse({ model: other, samples: 2 }))).resolves.toBe(0);
  });

  it('is not asked where no answer is expected', async () => {
    const model = new ScriptedModel();
    const metric = judgedResponse({ model });

    await expect(metric.score(turnOf({ answer: 'a' }), turnOf({}))).resolves.toBeUndefined();
    await metric.close?.();
  });

  it('gives the share of the rubrics that hold', async () => {
    const model = new ScriptedModel(says(JSON.stringify({ verdicts: [true, false] })));
    const metric = rubrics({ model, rubrics: ['Names the sky.', 'Names the wind.'] });

    await expect(scored(metric)).resolves.toBe(0.5);
    expect(JSON.stringify(model.requests[0]?.contents)).toContain('1. Names the sky.\\n2. Names the wind.');
  });

  it('also holds the rubrics of the case, and is not asked without any', async () => {
    const model = new ScriptedModel(says(JSON.stringify({ verdicts: [true] })));
    const metric = rubrics({ model });
    const own = { ...turnOf({}), rubrics: [{ rubricContent: { textProperty: 'Is kind.' } }] };

    await expect(metric.score(turnOf({ answer: 'a' }), own)).resolves.toBe(1);
    await expect(metric.score(turnOf({ answer: 'a' }), turnOf({}))).resolves.toBeUndefined();
    await metric.close?.();
    expect(JSON.stringify(model.requests[0]?.contents)).toContain('1. Is kind.');
  });

  it('whose answer has another shape is an error', async () => {
    const model = new ScriptedModel(...Array.from({ length: 4 }, () => says('{"verdicts":[true]}')));

    await expect(scored(rubrics({ model, rubrics: ['a', 'b'] }))).rejects.toThrow();
  });
});

describe('metrics by their names', () => {
  const model = new ScriptedModel();
  const findJudge = jest.fn(() => model);

  it('have the thresholds of their criteria, as numbers or as ADK writes them', async () => {
    const metrics = await metricsOf(
      {
        tool_trajectory_avg_score: { threshold: 0.5, match_type: 'IN_ORDER' },
        response_match_score: 0.4,
        final_response_match_v1: { threshold: 0.3 },
        final_response_match_v2: {
          threshold: 0.9,
          judge_model_options: { judge_model: 'gemini-2.5-pro', num_samples: 3 },
        },
        rubric_based_final_response_quality_v1: {
          threshold: 0.7,
          rubrics: [{ rubric_id: 'a', rubric_content: { text_property: 'Is kind.' } }, 'Is short.'],
        },
      },
      findJudge,
    );

    expect(metrics.map(({ name, threshold }) => [name, threshold])).toEqual([
      ['tool_trajectory_avg_score', 0.5],
      ['response_match_score', 0.4],
      ['final_response_match_v1', 0.3],
      ['final_response_match_v2', 0.9],
      ['rubric_based_final_response_quality_v1', 0.7],
    ]);
    expect(findJudge.mock.calls).toEqual([['gemini-2.5-pro'], [undefined]]);
    expect(metrics[0]?.score(turnOf({ calls: 'a x b' }), turnOf({ calls: 'a b' }))).toBe(1);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown name', { wisdom: 1 }, 'there is no such metric. Valid: tool_trajectory_avg_score, '],
    ['a name of all objects', { constructor: 1 }, 'there is no such metric'],
    ['no number', { response_match_score: { threshold: 'high' } }, 'threshold is "high". Write a number'],
    ['NaN', { response_match_score: Number.NaN }, 'threshold is NaN'],
    ['another match', { tool_trajectory_avg_score: { match_type: 'SOME' } }, 'its match_type is "SOME"'],
    [
      'no list of rubrics',
      { rubric_based_final_response_quality_v1: { rubrics: 'Is kind.' } },
      'its rubrics are no list of statements',
    ],
  ])('are refused: %s', async (_what, criteria, message) => {
    await expect(metricsOf(criteria as never, findJudge)).rejects.toMatchObject({
      code: 'EVAL_CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });
});

async function scored(metric: EvalMetric): Promise<number | undefined> {
  try {
    return await metric.score(turnOf({ answer: 'It is clear.' }), turnOf({ answer: 'clear' }));
  } finally {
    await metric.close?.();
  }
}

/** A turn with calls of tools, such as `a b`, and an answer. */
function turnOf({ calls, answer }: { readonly calls?: string; readonly answer?: string }): EvalInvocation {
  return {
    userContent: { role: 'user', parts: [{ text: 'How is Oslo?' }] },
    ...(answer !== undefined && { finalResponse: { role: 'model', parts: [{ text: answer }] } }),
    ...(calls !== undefined && {
      intermediateData: {
        toolUses: calls.split(' ').flatMap((name) => (name === '' ? [] : [{ name, args: {} }])),
      },
    }),
  };
}
