import { describeEachDatabase } from '../database/backends.fixture.js';
import { ADA, entry, said, sessionOf, textsOf } from './memory.fixture.js';
import { SqlMemoryService } from './sql-memory.service.js';

describeEachDatabase((_name, open) => {
  it('keeps as many memories of a user as it may, and the words of the oldest go with them', async () => {
    const database = await open();
    const memory = new SqlMemoryService(database, { maxEntries: 3 });

    await memory.addMemory(
      ADA,
      [1, 5, 3, 2, 4].map((day) => entry(`Day ${String(day)}.`, { timestamp: day })),
    );

    expect((await textsOf(memory, 'day')).sort()).toEqual(['Day 3.', 'Day 4.', 'Day 5.']);
    expect(await textsOf(new SqlMemoryService(database), '1 2')).toEqual([]);
  });

  it('does not count what it keeps of others', async () => {
    const memory = new SqlMemoryService(await open(), { maxEntries: 1 });
    await memory.addMemory({ ...ADA, userId: 'bob' }, [entry('Day 1.', { timestamp: 1 })]);

    await memory.addMemory(ADA, [entry('Day 2.', { timestamp: 2 })]);

    expect(await textsOf(memory, 'day', { ...ADA, userId: 'bob' })).toEqual(['Day 1.']);
  });

  it('is the same after a session that is longer than that was added again', async () => {
    const memory = new SqlMemoryService(await open(), { maxEntries: 3 });
    const session = sessionOf([1, 2, 3, 4, 5].map((day) => said(`Day ${String(day)}.`, day)));

    await memory.addSessionToMemory(session);
    const first = await memory.searchMemory(ADA, 'day');
    await memory.addSessionToMemory(session);

    expect(await memory.searchMemory(ADA, 'day')).toEqual(first);
    expect(first.map(({ timestamp }) => timestamp).sort()).toEqual([3, 4, 5]);
  });

  it('adds an event once, however many add it at the same time', async () => {
    const memory = new SqlMemoryService(await open());
    const events = Array.from({ length: 20 }, (_, index) => said(`Harbour ${String(index)}.`));

    await Promise.all(Array.from({ length: 5 }, () => memory.addEvents(ADA, events)));

    expect(await textsOf(memory, 'harbour')).toHaveLength(20);
  });

  it('takes a session of a thousand events, and a text of a million letters', async () => {
    const memory = new SqlMemoryService(await open());
    const long = `harbour ${'ö ü 漢 '.repeat(170_000)}`;

    await memory.addSessionToMemory(
      sessionOf(Array.from({ length: 1_000 }, (_, index) => said(`Boat ${String(index)}.`))),
    );
    await memory.addMemory(ADA, [entry(long)]);

    expect(await textsOf(memory, 'boat')).toHaveLength(100);
    expect(await textsOf(memory, 'harbour')).toEqual([long]);
  });

  it('adds all or nothing', async () => {
    const memory = new SqlMemoryService(await open());
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const bad = { content: { parts: [{ text: 'A harbour.', functionCall: { args: cyclic } }] } };

    await expect(async () => memory.addMemory(ADA, [entry('My harbour.'), bad])).rejects.toMatchObject({
      code: 'CONTENT_INVALID',
    });

    expect(await textsOf(memory, 'harbour')).toEqual([]);
  });

  it('finds words of languages that put no spaces between them', async () => {
    const memory = new SqlMemoryService(await open());
    await memory.addMemory(ADA, [entry('明日の東京は雨です。'), entry('大阪は晴れです。')]);

    expect(await textsOf(memory, '東京')).toEqual(['明日の東京は雨です。']);
  });

  it('puts what has more of the words first, and then what says less beside them', async () => {
    const memory = new SqlMemoryService(await open());
    const texts = [
      'Boats and other things that float.',
      'Boats.',
      'Boats in Oslo.',
      'Trams.',
      'Rain.',
      'Snow.',
    ];
    await memory.addMemory(
      ADA,
      texts.map((text) => entry(text)),
    );

    expect(await textsOf(memory, 'oslo boats')).toEqual([
      'Boats in Oslo.',
      'Boats.',
      'Boats and other things that float.',
    ]);
  });
});
