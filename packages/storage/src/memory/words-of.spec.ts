import { wordsAsked, wordsOf } from './word-index.js';

describe('wordsOf', () => {
  it.each([
    ['The Harbour, at SEVEN!', ['the', 'harbour', 'at', 'seven']],
    ['ÅLESUND', ['ålesund']],
    ['A\u030alesund', ['ålesund']],
    ['Ｔｏｋｙｏ', ['tokyo']],
    ['東京は雨です', ['東京', 'は', '雨', 'です']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['"a" AND NEAR(b) col:c* -d', ['a', 'and', 'near', 'b', 'col', 'c', 'd']],
    ["x') or 1=1--", ['x', 'or', '1', '1']],
    ['\u0000 🚀 … %', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are no longer than a database takes', () => {
    expect(wordsOf('n'.repeat(250)).map((word) => word.length)).toEqual([100, 100, 50]);
  });

  it('of a query are each asked for once, and not without end', () => {
    expect(wordsAsked('boats, boats and Boats')).toEqual(['boats', 'and']);
    expect(wordsAsked(Array.from({ length: 500 }, (_, index) => `w${String(index)}`).join(' '))).toHaveLength(
      64,
    );
  });
});
