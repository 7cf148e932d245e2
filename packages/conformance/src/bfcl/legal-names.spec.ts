import { LEGAL_NAME, legalNames } from './legal-names.js';

describe('legalNames', () => {
  it('replaces what no model can call, and numbers what would be called alike', () => {
    expect(legalNames(['math.add', 'math_add', 'math add', '1st', 'add'])).toEqual([
      'math_add',
      'math_add_2',
      'math_add_3',
      '_1st',
      'add',
    ]);
  });

  it('keeps the longest names within their limit and apart', () => {
    const longest = 'a'.repeat(64);

    const names = legalNames([longest, `${longest}b`, `${longest}c`]);

    expect(names).toEqual([longest, `${'a'.repeat(62)}_2`, `${'a'.repeat(62)}_3`]);
    expect(names.every((name) => LEGAL_NAME.test(name))).toBe(true);
  });
});
