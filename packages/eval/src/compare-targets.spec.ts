import { says } from '@adorn/testing';

import { compareTargets } from './compare-targets.js';
import { linesOfComparison } from './statistics/compare.js';
import { caseOf, openWeather, setOf } from './weather.fixture.js';

const SET = setOf(caseOf('asks', 'It is clear.'), caseOf('greets', 'It is clear.'));

/** Answers as it should, until its answers are used up. */
function answering(...answers: readonly string[]) {
  const left = [...answers];
  return () => openWeather(says(left.shift() ?? 'It is clear.'));
}

const SETTINGS = { runs: 10, concurrency: 1 };

describe('compareTargets', () => {
  it('plays the cases with both versions, and tells the verdict, its p value and the difference of each case', async () => {
    const worse = answering(...Array.from({ length: 10 }, () => 'No idea.'));

    const compared = await compareTargets({ before: answering(), after: worse }, SET, SETTINGS);

    expect(compared).toMatchObject({ pairs: 20, verdict: 'worse' });
    const [passed] = compared.differences;
    expect(passed).toMatchObject({ name: 'passed', before: 1, after: 0.5, verdict: 'worse' });
    expect(passed?.pValue).toBeLessThan(0.05);
    expect(passed?.interval.high).toBeLessThan(0);
    const changed = compared.cases.filter(({ before, after }) => before !== after);
    expect(changed).toEqual([{ evalId: changed[0]?.evalId, pairs: 10, before: 1, after: 0 }]);
    expect(compared.cases).toHaveLength(2);
    expect(linesOfComparison(compared).at(-1)).toBe(
      `case     ${changed[0]?.evalId ?? ''}  passed 1.000 → 0.000`,
    );
    expect(compared.reports.after.caseResults).toHaveLength(20);
  });

  it('is unclear where both do the same', async () => {
    const { verdict, cases } = await compareTargets(
      { before: answering(), after: answering() },
      SET,
      SETTINGS,
    );

    expect(verdict).toBe('unclear');
    expect(cases).toMatchObject([
      { before: 1, after: 1 },
      { before: 1, after: 1 },
    ]);
  });

  it('refuses invalid options before anything is played', async () => {
    const versions = { before: () => Promise.reject(new Error('played')), after: answering() };

    await expect(compareTargets(versions, SET, { alpha: 2 })).rejects.toThrow('compareTargets: ');
    const withFile: object = { results: 'results.jsonl' };
    await expect(compareTargets(versions, SET, withFile)).rejects.toThrow('the option results is given');
  });
});
