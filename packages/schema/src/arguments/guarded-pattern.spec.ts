import { guardedPattern, PatternTimeout, withPatternTime } from './ajv.js';

describe('guardedPattern', () => {
  it.each([
    ['^[a-z]+$', 'abc', true],
    ['^[a-z]+$', 'ab1', false],
    ['^(ab)*c$', 'ababc', true],
    ['^(ab)*c$', 'abac', false],
    ['^.$', '😀', true],
  ])('matches %s against %s as JavaScript does', (source, text, matches) => {
    expect(guardedPattern(source, 'u').test(text)).toBe(matches);
  });

  it.each([
    ['repeats within repeats', '^(a+)+$', `${'a'.repeat(60)}!`],
    ['alternatives that say the same', '^(a|a)*$', `${'a'.repeat(60)}!`],
    ['one repeat over a long text', 'a*$', `${'a'.repeat(400_000)}!`],
    ['many repeats', '^a*a*a*a*a*a*$', `${'a'.repeat(900)}!`],
    ['many repeats from a number on', '^a{10,}a{10,}a{10,}a{10,}a{10,}$', `${'a'.repeat(900)}!`],
  ])('takes a text not to match where %s would be tried for ever', (_what, source, text) => {
    expect(guardedPattern(source, 'u').test(text)).toBe(false);
  });

  it('ends the validation that a text is matched in, and not the next one', () => {
    const pattern = guardedPattern('^(a|a)*$', 'u');
    const texts = Array.from({ length: 50 }, (_, index) => `${'a'.repeat(60)}!${String(index)}`);
    let tried = 0;

    expect(() =>
      withPatternTime(() =>
        texts.map((text) => {
          tried++;
          return pattern.test(text);
        }),
      ),
    ).toThrow(PatternTimeout);

    expect(tried).toBe(1);
    expect(withPatternTime(() => pattern.test('aaa'))).toBe(true);
  });

  it('is one with another of the same text, and with no other', () => {
    const [one, same, other] = ['^a', '^a', '^b'].map((source) => String(guardedPattern(source, 'u')));

    expect([one === same, one === other]).toEqual([true, false]);
  });

  it('says what Ajv would say of a pattern that is none', () => {
    expect(() => guardedPattern('(', 'u')).toThrow(SyntaxError);
  });
});
