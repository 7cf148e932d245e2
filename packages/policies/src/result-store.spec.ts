import { ResultStore } from './cache.policy.js';

const MIB = 2 ** 20;

describe('a store of results', () => {
  it('keeps at most 16 MiB of text, the most recently used results', () => {
    const store = new ResultStore({ ttlMs: Infinity, maxEntries: 1_000 });
    for (let n = 1; n <= 16; n++) store.keep(String(n), 'x'.repeat(MIB), 0);
    expect(store.find('1', 0)).toHaveLength(MIB);

    store.keep('17', 'x', 0);

    expect([store.find('1', 0), store.find('2', 0), store.find('3', 0)].map((text) => text?.length)).toEqual([
      MIB,
      undefined,
      MIB,
    ]);
  });

  it('keeps no single text that is larger', () => {
    const store = new ResultStore({ ttlMs: Infinity, maxEntries: 1_000 });

    store.keep('a', 'x'.repeat(16 * MIB + 1), 0);

    expect(store.find('a', 0)).toBeUndefined();
  });

  it('counts a text that replaces another, or was too old, no more than once', () => {
    const store = new ResultStore({ ttlMs: 1_000, maxEntries: 1_000 });
    for (let n = 0; n < 40; n++) {
      store.keep('a', 'x'.repeat(9 * MIB), n);
      if (n % 2 === 0) expect(store.find('a', n + 1)).toBeUndefined();
    }

    expect(store.find('a', 39.5)).toHaveLength(9 * MIB);
  });
});
