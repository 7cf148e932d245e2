import { HashEmbedder } from './hash.embedder.js';

describe('HashEmbedder', () => {
  it('brings texts that share words, or pieces of words, near each other', async () => {
    const embedder = new HashEmbedder();
    const [harbour, harbours, weather] = await embedder.embed([
      'When does the harbour open?',
      'the opening of harbours',
      'Rain again.',
    ]);

    expect(cosine(harbour, harbours)).toBeGreaterThan(embedder.minScore);
    expect(cosine(harbour, weather)).toBeLessThan(embedder.minScore);
  });

  it('says the same each time, in vectors of length one', async () => {
    const [once] = await new HashEmbedder({ dimensions: 32 }).embed(['Ålesund']);
    const [again] = await new HashEmbedder({ dimensions: 32 }).embed(['ÅLESUND']);

    expect(once).toHaveLength(32);
    expect(again).toEqual(once);
    expect(cosine(once, once)).toBeCloseTo(1);
  });

  it('has a vector for a text without words too', async () => {
    expect(await new HashEmbedder({ dimensions: 2 }).embed(['…'])).toEqual([[0, 0]]);
  });
});

function cosine(a: readonly number[] = [], b: readonly number[] = []): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
