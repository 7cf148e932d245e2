import { stem, wordsOf } from './words.js';

describe('wordsOf', () => {
  it('splits names of both spellings and drops words without meaning', () => {
    expect(wordsOf('get_weather')).toEqual(wordsOf('What is the weather'));
    expect(wordsOf('trackOrder')).toEqual(['track', 'order']);
    expect(wordsOf('Where is my order W2611340, please?')).toEqual(['wher', 'order', 'w2611340']);
  });
});

describe('stem', () => {
  it.each([
    ['tracking', 'tracked'],
    ['orders', 'order'],
    ['cancelled', 'cancel'],
    ['cancellation', 'cancel'],
    ['shipping', 'shipped'],
    ['shipment', 'ship'],
    ['delivery', 'deliver'],
    ['addresses', 'address'],
    ['policies', 'policy'],
    ['changing', 'change'],
    ['refunds', 'refunded'],
  ])('brings "%s" and "%s" together', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it('leaves short words and words with digits alone', () => {
    expect([stem('as'), stem('w12s'), stem('bus')]).toEqual(['as', 'w12s', 'bus']);
  });
});
