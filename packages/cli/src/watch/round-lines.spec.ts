import { DerivationFailedError } from '@adorn/compiler';

import { roundLines } from './watch-build.js';

const AT = new Date(2026, 10, 22, 9, 3, 5);
const QUIET = {
  report: { files: 5, classes: 6, tools: 31 },
  written: [],
  faults: [],
  standing: 0,
  isFixed: false,
};

describe('roundLines', () => {
  it('says when, what was written, and how much has its schemas', () => {
    expect(textsOf(QUIET)).toEqual(['09:03:05  31 tools of 6 classes']);
    expect(textsOf({ ...QUIET, written: ['a.js', 'b.js'] })).toEqual([
      '09:03:05  2 files written, 31 tools of 6 classes',
    ]);
  });

  it('tells a fault as adorn build does, and how many there are', () => {
    const faults = [new DerivationFailedError('The tsconfig is not usable.')];

    expect(textsOf({ ...QUIET, faults, standing: 2 })).toEqual([
      '09:03:05  2 faults, 31 tools of 6 classes',
      'error: The tsconfig is not usable. (DERIVATION_FAILED)',
    ]);
    expect(textsOf({ ...QUIET, report: { files: 0, classes: 0, tools: 0 }, standing: 1 })).toEqual([
      '09:03:05  1 fault',
    ]);
  });

  it('does not fill the screen with faults', () => {
    const faults = Array.from({ length: 22 }, (_, at) => new DerivationFailedError(String(at)));
    const texts = textsOf({ ...QUIET, faults, standing: 22 });

    expect(texts).toHaveLength(22);
    expect(texts.slice(-2)).toEqual(['error: 19 (DERIVATION_FAILED)', 'and 2 more faults']);
  });

  it('says when all is well again', () => {
    expect(textsOf({ ...QUIET, written: ['a.js'], isFixed: true })).toEqual([
      '09:03:05  all faults fixed, 1 file written, 31 tools of 6 classes',
    ]);
  });
});

function textsOf(round: Parameters<typeof roundLines>[0]): string[] {
  return roundLines(round, AT).map(({ text }) => text);
}
