import { accessibilityFaults, accessibilityScore } from './accessibility-faults.js';
import type { LighthouseAudit, LighthouseResult } from './lighthouse.js';

/** A result with these audits, of which each but `tried` counts. */
const resultOf = (
  audits: Record<string, LighthouseAudit>,
  score: number | null = 0.96,
): LighthouseResult => ({
  categories: {
    accessibility: {
      score,
      auditRefs: Object.keys(audits).map((id) => ({ id, weight: id === 'tried' ? 0 : 7 })),
    },
  },
  audits,
});
const elements = (...selectors: string[]) => ({
  items: selectors.map((selector) => ({ node: { selector, explanation: 'Fix this:\n  More contrast' } })),
});

describe('accessibilityScore', () => {
  it('is a number from 0 to 100', () => {
    expect(accessibilityScore(resultOf({}, 0.96))).toBe(96);
  });

  it('is 0 where Lighthouse could not look at the page', () => {
    expect(accessibilityScore(resultOf({}, null))).toBe(0);
  });
});

describe('accessibilityFaults', () => {
  it('says what is wrong with which elements, the first three by name', () => {
    const contrast = { title: 'Colours', score: 0, details: elements('a', 'b', 'c', 'd', 'e') };

    expect(accessibilityFaults(resultOf({ contrast }))).toEqual([
      'contrast: Fix this: More contrast (a, b, c and 2 more)',
    ]);
  });

  it('leaves out rules that are kept, that do not apply, and that do not count', () => {
    const audit = { title: 'A rule', details: elements('a') };
    const audits = {
      kept: { ...audit, score: 1 },
      notApplied: { ...audit, score: null },
      tried: { ...audit, score: 0 },
    };

    expect(accessibilityFaults(resultOf(audits))).toEqual([]);
  });
});
