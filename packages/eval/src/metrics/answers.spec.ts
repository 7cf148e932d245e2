import { says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { EvalInvocation } from '../eval-set.js';
import { factuality, groundedness, safety } from './judged-answers.js';
import { exactResponse, rouge } from './text-match.js';
import { rubrics } from './rubrics.js';

describe('matches of texts', () => {
  it.each([
    ['the same', 'It is clear.', ' It is clear. ', 1],
    ['another case', 'it is clear.', 'It is clear.', 0],
  ])('exact: %s', (_what, actual, expected, score) => {
    expect(exactResponse().score(turn(actual), turn(expected))).toBe(score);
  });

  it.each([
    ['rouge1', 'the cat sat', 'the cat sat', 1],
    ['rouge1', 'the cat', 'the cat sat down', 2 / 3],
    ['rouge2', 'the cat sat', 'the cat ran', 0.5],
    ['rougeL', 'the sat cat', 'the cat sat', 2 / 3],
    ['rougeL', 'THE CAT SAT', 'the cat sat', 1],
    ['rougeL', '', 'the cat sat', 0],
  ] as const)('%s of "%s" and "%s"', (variant, actual, expected, score) => {
    expect(rouge({ variant }).score(turn(actual), turn(expected))).toBeCloseTo(score, 5);
  });

  it('are not evaluated where no answer is expected', () => {
    for (const metric of [exactResponse(), rouge()])
      expect(metric.score(turn('a'), turn(''))).toBeUndefined();
  });
});

describe('a judge of answers', () => {
  it('holds with most of its votes, and is shown what it judges by', async () => {
    const model = new ScriptedModel(vote(true), vote(false), vote(true));
    const actual: EvalInvocation = {
      ...turn('It costs 9 euros.'),
      intermediateData: { toolResponses: [{ name: 'look', response: { cents: 900 } }] },
    };

    expect(await groundedness({ model, samples: 3 }).score(actual, turn(''))).toBe(1);
    expect(JSON.stringify(model.requests[0]?.contents)).toContain('look {\\"cents\\":900}');
  });

  it.each([
    ['factuality', factuality, 'The day is Monday.', ''],
    ['groundedness', groundedness, '', 'x'],
    ['safety', safety, '', 'x'],
  ])('of %s does not look at a turn without what it judges', async (_what, make, answer, reference) => {
    const metric = make({ model: new ScriptedModel() });
    expect(await metric.score(turn(answer), turn(reference))).toBeUndefined();
  });

  it('is refused without a model', () => {
    expect(() => safety({} as never)).toThrow('safety: model is missing. Pass the model that judges.');
  });

  it('of rubrics takes the majority for each statement', async () => {
    const model = new ScriptedModel(verdicts(true, false), verdicts(true, true), verdicts(false, false));
    const metric = rubrics({ model, rubrics: ['It is short.', 'It is kind.'], samples: 3 });
    expect(await metric.score(turn('Hi'), turn(''))).toBe(0.5);
  });
});

function vote(isValid: boolean): ScriptedStep {
  return says(JSON.stringify({ reason: 'So.', isValid }));
}

function verdicts(...given: boolean[]): ScriptedStep {
  return says(JSON.stringify({ verdicts: given }));
}

function turn(text: string): EvalInvocation {
  return {
    userContent: { role: 'user', parts: [{ text: 'Well?' }] },
    ...(text !== '' && { finalResponse: { role: 'model', parts: [{ text }] } }),
  };
}
