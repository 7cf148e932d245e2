import { isOnlyWords, splitWords } from './strict-schema.js';

describe('splitWords', () => {
  it('parts what a schema says from what it demands, and loses neither', () => {
    const words = { title: 'City', description: 'A city.', default: 'Oslo' };
    const rules = { type: 'string', maxLength: 80 };

    expect(splitWords({ ...rules, ...words })).toEqual([words, rules]);
    expect(splitWords({})).toEqual([{}, {}]);
  });
});

describe('isOnlyWords', () => {
  it('is true of what excludes no value', () => {
    expect(isOnlyWords({ title: 'City', description: 'A city.' })).toBe(true);
    expect(isOnlyWords({})).toBe(true);
    expect(isOnlyWords({ description: 'A city.', maxLength: 80 })).toBe(false);
  });
});
