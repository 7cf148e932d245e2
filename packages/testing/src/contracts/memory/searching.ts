import { expect, it } from '../test-runner.js';

import type { OpenMemory } from '../describe-memory-service.js';
import { ADA, entry, textsOf } from './memories.js';

/** Search results and their order. */
export function promisesOfSearching(open: OpenMemory): void {
  it('is empty where nothing fits', async () => {
    const memory = await open();
    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([]);

    await memory.addMemory(ADA, [entry('The harbour opens at seven.')]);

    expect(await memory.searchMemory(ADA, 'zeppelin')).toEqual([]);
    expect(await memory.searchMemory(ADA, '')).toEqual([]);
  });

  it.each(['HARBOUR', 'harbour?', 'the harbour, at seven', 'Ålesund', 'ÅLESUND'])(
    'finds it by "%s"',
    async (query) => {
      const memory = await open();
      await memory.addMemory(ADA, [entry('The Harbour of Ålesund opens at seven.')]);

      expect(await memory.searchMemory(ADA, query)).toHaveLength(1);
    },
  );

  it.each([
    ['港', '港は七時に開きます'],
    ['harbour', 'The harbour of 大阪 opens at seven.'],
    ['大阪', 'The harbour of 大阪 opens at seven.'],
  ])('finds "%s" in "%s"', async (query, text) => {
    const memory = await open();
    await memory.addMemory(ADA, [entry(text), entry('Nothing else.')]);

    expect(await textsOf(memory, query)).toEqual([text]);
  });

  it('finds by any one of the words, however many there are', async () => {
    const memory = await open();
    await memory.addMemory(ADA, [entry('The harbour opens at seven.'), entry('Nothing else.')]);
    const others = Array.from({ length: 3_000 }, (_, index) => `w${String(index)}`);

    expect(await textsOf(memory, `harbour ${others.join(' ')}`)).toEqual(['The harbour opens at seven.']);
    expect(await textsOf(memory, 'zeppelin seven')).toEqual(['The harbour opens at seven.']);
  });

  it('gives the best first', async () => {
    const memory = await open();
    await memory.addMemory(ADA, [
      entry('A harbour.'),
      entry('A harbour in Oslo with boats.'),
      entry('A harbour in Oslo.'),
    ]);

    const [best, ...others] = await memory.searchMemory(ADA, 'boats Oslo harbour');

    expect(best?.content.parts).toEqual([{ text: 'A harbour in Oslo with boats.' }]);
    expect(others).toHaveLength(2);
  });

  it('gives ten at the most, or as many as are asked for', async () => {
    const memory = await open();
    await memory.addMemory(
      ADA,
      Array.from({ length: 15 }, (_, index) => entry(`Harbour ${String(index)}.`)),
    );

    expect(await memory.searchMemory(ADA, 'harbour')).toHaveLength(10);
    expect(await memory.searchMemory(ADA, 'harbour', { limit: 3 })).toHaveLength(3);
    expect(await memory.searchMemory(ADA, 'harbour', { limit: 99 })).toHaveLength(15);
    for (const limit of [0, -1, NaN])
      expect(await memory.searchMemory(ADA, 'harbour', { limit })).toEqual([]);
  });

  it.each([
    '"',
    "'",
    '%',
    '_',
    '*',
    '?',
    '(',
    ')',
    'a AND',
    'NEAR(',
    '-x',
    'col:x',
    '\u0000',
    "' OR 1=1 --",
    '^',
    '\\',
  ])('takes %j for words and not for an expression', async (query) => {
    const memory = await open();
    await memory.addMemory(ADA, [entry('The harbour opens at seven.')]);

    expect(await memory.searchMemory(ADA, query)).toEqual([]);
    expect(await memory.searchMemory(ADA, `harbour ${query}`)).toHaveLength(1);
  });
}
