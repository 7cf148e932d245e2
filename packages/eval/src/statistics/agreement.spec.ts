import { Model, type ModelRequest } from '@adorn/core';

import type { EvalInvocation } from '../eval-set.js';
import { factuality } from '../metrics/judged-answers.js';
import { judgeAgreement, type LabelledTurn } from './agreement.js';

/** Turns about orders, of which every second one contradicts its reference in the state or the day: 120, made by rule. */
const LABELLED: readonly LabelledTurn[] = Array.from({ length: 120 }, (_, index) => {
  const states = ['packed', 'shipped', 'delivered', 'cancelled'];
  const [state, other] = [states[index % 4], states[(index + 1) % 4]];
  const label = index % 2 === 0;
  const day = 1 + (index % 28);
  const says = (found: string | undefined, on: number): string =>
    `Order W${String(1000 + index)} is ${String(found)} since 2025-11-${String(on)}.`;
  const isDayWrong = index % 4 === 1;
  return {
    actual: turn(label ? says(state, day) : says(isDayWrong ? state : other, isDayWrong ? day + 1 : day)),
    expected: turn(says(state, day)),
    label,
  };
});

/** Judges by whether the texts are the same, and says the contrary of it in some of its answers. */
class FallibleJudge extends Model {
  readonly name = 'fallible';
  private asked = 0;

  /** @param wrongEvery which answers are wrong: each of so many */
  constructor(private readonly wrongEvery: number) {
    super();
  }

  override async *generate({ contents }: ModelRequest) {
    const text =
      contents
        .at(-1)
        ?.parts?.map((part) => part.text ?? '')
        .join('') ?? '';
    const [, answer] = /<answer>\n(.*)\n<\/answer>/.exec(text) ?? [];
    const [, reference] = /<reference>\n(.*)\n<\/reference>/.exec(text) ?? [];
    const isWrong = ++this.asked % this.wrongEvery === 0;
    const verdict = { reason: 'So.', isValid: (answer === reference) !== isWrong };
    yield { content: { role: 'model', parts: [{ text: JSON.stringify(verdict) }] } };
  }
}

describe('the agreement of a judge', () => {
  it('with 120 labels is 1 for one that is never wrong', async () => {
    const found = await judgeAgreement(
      factuality({ model: new FallibleJudge(Infinity), samples: 3 }),
      LABELLED,
    );

    expect(found).toMatchObject({
      turns: 120,
      accuracy: 1,
      kappa: 1,
      alpha: 1,
      falsePasses: 0,
      falseFailures: 0,
    });
    expect(found.accuracyInterval.low).toBeCloseTo(0.969, 3);
  });

  it('with itself falls before its agreement with people does: votes make up for what one of them gets wrong', async () => {
    const model = new FallibleJudge(6);
    const found = await judgeAgreement(factuality({ model, samples: 5 }), LABELLED, { concurrency: 1 });

    expect(found.kappa).toBe(1);
    expect(found.alpha).toBeLessThan(0.6);
    expect(found.alphaInterval.low).toBeLessThan(found.alpha);
    expect(found.alphaInterval.high).toBeGreaterThan(found.alpha);
  });

  it('has an interval around it for a judge that is wrong', async () => {
    const model = new FallibleJudge(5);
    const found = await judgeAgreement(factuality({ model, samples: 1 }), LABELLED, { concurrency: 1 });

    expect(found.accuracy).toBeCloseTo(0.8, 5);
    expect(found.kappa).toBeCloseTo(0.6, 5);
    expect(found.kappaInterval.low).toBeGreaterThan(0.4);
    expect(found.kappaInterval.high).toBeLessThan(0.8);
    expect(found.falsePasses + found.falseFailures).toBe(24);
    expect(found.alpha).toBeNaN();
  });

  it('is refused without turns, and for a turn that the judge does not look at', async () => {
    const metric = factuality({ model: new FallibleJudge(5) });
    const nothing = { actual: turn('x'), expected: turn(''), label: true };
    await expect(judgeAgreement(metric, [])).rejects.toMatchObject({ code: 'EVAL_CONFIG_INVALID' });
    await expect(judgeAgreement(metric, [nothing])).rejects.toThrow('factuality does not look at the turn 0');
  });
});

function turn(text: string): EvalInvocation {
  return {
    userContent: { role: 'user', parts: [{ text: 'Where is it?' }] },
    finalResponse: { role: 'model', parts: [{ text }] },
  };
}
