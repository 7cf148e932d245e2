import { describeMemoryService } from '@adorn/testing/contracts';

import { InMemoryMemoryService } from './in-memory-memory.service.js';

describeMemoryService('InMemoryMemoryService', async () => new InMemoryMemoryService());

describe('the search of InMemoryMemoryService', () => {
  const ADA = { appName: 'app', userId: 'ada' };

  it.each([
    ['harbour', 'its word'],
    ['harb', 'its beginning'],
    ['harbours', 'its plural'],
    ['opening', 'another form of its verb'],
    ['city', 'the singular of "cities"'],
  ])('finds an English text by "%s": %s', async (query) => {
    const memory = await remembering(
      'The harbour opens at seven.',
      'Both cities sleep: a harbour opens at nine.',
    );

    expect(await memory.searchMemory(ADA, query)).not.toEqual([]);
  });

  it.each(['open the car', 'has', 'art', 'see a thing'])('does not find a harbour by "%s"', async (query) => {
    const memory = await remembering('Harbour at seven.');

    expect(await memory.searchMemory(ADA, query)).toEqual([]);
  });

  it.each(['港', '七時', '港は何時に開きますか', '開き', 'HARBOUR港'])(
    'finds a Japanese text by "%s"',
    async (query) => {
      const memory = await remembering('港は七時に開きます', '明日の天気');

      const found = await memory.searchMemory(ADA, query);

      expect(found.map(({ content }) => content.parts?.[0]?.text)).toEqual(['港は七時に開きます']);
    },
  );

  it.each([
    ['海港', '海港七点开放'],
    ['항구', '항구는 일곱 시에 엽니다'],
    ['ท่าเรือ', 'ท่าเรือเปิดเจ็ดโมง'],
    ['ﾐﾅﾄ', 'ミナトは七時'],
  ])('finds "%s" in "%s"', async (query, text) => {
    const memory = await remembering(text);

    expect(await memory.searchMemory(ADA, query)).toHaveLength(1);
  });

  it('gives a whole word before a stem, and a stem before a beginning', async () => {
    const memory = await remembering('Harbourmaster.', 'Harbours.', 'Harbour.');

    const found = await memory.searchMemory(ADA, 'harbour');

    expect(found.map(({ content }) => content.parts?.[0]?.text)).toEqual([
      'Harbour.',
      'Harbours.',
      'Harbourmaster.',
    ]);
  });

  async function remembering(...texts: readonly string[]): Promise<InMemoryMemoryService> {
    const memory = new InMemoryMemoryService();
    await memory.addMemory(
      ADA,
      texts.map((text) => ({ content: { role: 'user', parts: [{ text }] } })),
    );
    return memory;
  }
});
