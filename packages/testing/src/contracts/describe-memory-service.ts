import {
  Event,
  type EventFields,
  InMemorySessionService,
  type MemoryEntry,
  type MemoryService,
  type Session,
} from '@adorn/core';
import { describe, expect, it } from '@jest/globals';

import { HOSTILE_NAMES, isPrototypeClean } from './hostile-names.js';
import { longestName, REFUSAL, TOO_LONG } from './long-names.js';

const ADA = { appName: 'app', userId: 'ada' };

const HEARD: EventFields = {
  invocationId: 'e-1',
  author: 'clerk',
  content: { role: 'model', parts: [{ text: 'The harbour.' }] },
};

/** What every memory service promises. A new backend is done when this passes. */
export function describeMemoryService(name: string, open: () => Promise<MemoryService>): void {
  describe(`${name} as a MemoryService`, () => {
    promisesOfAdding(open);
    promisesOfSearching(open);
    promisesOfOwners(open);
  });
}

function promisesOfAdding(open: () => Promise<MemoryService>): void {
  it('finds what was said in a session that was added, and where it was said', async () => {
    const memory = await open();
    const event = said('The harbour opens at seven.', 1_700_000_000.25);

    await memory.addSessionToMemory(await sessionWith([said('Good morning.'), event]));

    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([
      { content: event.content, author: 'clerk', timestamp: 1_700_000_000.25, sessionId: 's1' },
    ]);
  });

  it('adds only what is new when a session is added again', async () => {
    const memory = await open();
    const events = [said('The harbour opens at seven.')];
    await memory.addSessionToMemory(await sessionWith(events));

    await memory.addSessionToMemory(await sessionWith([...events, said('The harbour closes at nine.')]));

    expect(await textsOf(memory, 'harbour')).toEqual([
      'The harbour closes at nine.',
      'The harbour opens at seven.',
    ]);
  });

  it('leaves out what was undone in a session', async () => {
    const memory = await open();
    const undone = new Event({
      invocationId: 'r-1',
      author: 'user',
      actions: { rewindBeforeInvocationId: 'e-1' },
    });
    const after = new Event({ ...HEARD, invocationId: 'e-2' });

    await memory.addSessionToMemory(await sessionWith([said('The harbour is closed.'), undone, after]));

    expect(await textsOf(memory, 'harbour')).toEqual(['The harbour.']);
  });

  it('adds an event once, also where several add it at the same time', async () => {
    const memory = await open();
    const events = [said('The harbour opens at seven.'), said('The harbour closes at nine.')];
    const session = await sessionWith(events);

    await Promise.all([
      memory.addSessionToMemory(session),
      memory.addEvents(ADA, [...events, ...events]),
      memory.addSessionToMemory(session),
    ]);

    expect(await textsOf(memory, 'harbour')).toHaveLength(2);
  });

  it('keeps any time', async () => {
    const memory = await open();
    const entries = [0, -1.5, 1_700_000_000.123, 9e12].map((timestamp) => ({
      ...entry('A harbour.'),
      timestamp,
    }));

    await memory.addMemory(ADA, entries);

    const found = await memory.searchMemory(ADA, 'harbour');
    expect(found.map(({ timestamp }) => timestamp).sort()).toEqual(
      entries.map(({ timestamp }) => timestamp).sort(),
    );
  });

  it('leaves aside events without a text', async () => {
    const memory = await open();
    const call = new Event({
      invocationId: 'e-1',
      author: 'clerk',
      content: { role: 'model', parts: [{ functionCall: { name: 'harbour', args: {} } }] },
    });
    const thought = new Event({
      invocationId: 'e-1',
      author: 'clerk',
      content: { role: 'model', parts: [{ text: 'The harbour?', thought: true }] },
    });

    await memory.addSessionToMemory(
      await sessionWith([call, thought, new Event({ invocationId: 'e-1', author: 'clerk' })]),
    );

    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([]);
  });

  it('finds events that were added by themselves', async () => {
    const memory = await open();
    const event = said('The harbour opens at seven.');

    await memory.addEvents(ADA, [event]);

    const [found] = await memory.searchMemory(ADA, 'harbour');
    expect(found).toMatchObject({ content: event.content, author: 'clerk', timestamp: event.timestamp });
  });

  it('finds entries that were added as they are, two alike included', async () => {
    const memory = await open();
    const whole: MemoryEntry = {
      ...entry('The harbour opens at seven.'),
      author: 'ada',
      timestamp: 12.5,
      sessionId: 's9',
    };

    await memory.addMemory(ADA, [whole]);
    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([whole]);

    await memory.addMemory(ADA, [entry('A harbour.'), entry('A harbour.')]);
    expect(await memory.searchMemory(ADA, 'harbour')).toHaveLength(3);
  });

  it('takes any id of an event, and none collides with another memory', async () => {
    const memory = await open();
    const ids = [...HOSTILE_NAMES, 'memory 0', 'memory 1', '0', '1'];
    const events = ids.map((id) => new Event({ ...HEARD, id }));

    await memory.addMemory(ADA, [entry('A harbour.'), entry('Another harbour.')]);
    await memory.addEvents(ADA, events);

    expect(await memory.searchMemory(ADA, 'harbour', { limit: 99 })).toHaveLength(ids.length + 2);
    expect(isPrototypeClean()).toBe(true);
  });

  it('keeps the parts of a content that are no text', async () => {
    const memory = await open();
    const parts = [{ text: 'A harbour.' }, { inlineData: { mimeType: 'image/png', data: 'AAH+/w==' } }];

    await memory.addMemory(ADA, [{ content: { role: 'user', parts } }]);

    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([{ content: { role: 'user', parts } }]);
  });
}

function promisesOfSearching(open: () => Promise<MemoryService>): void {
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
    expect(await memory.searchMemory(ADA, 'harbour', { limit: 0 })).toEqual([]);
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

function promisesOfOwners(open: () => Promise<MemoryService>): void {
  it.each([
    ['users', { ...ADA, userId: 'bob' }],
    ['applications', { ...ADA, appName: 'other' }],
  ])('keeps the memories of two %s apart', async (_who, neighbour) => {
    const memory = await open();
    await memory.addMemory(ADA, [entry('My harbour.')]);
    await memory.addSessionToMemory(await sessionWith([said('My other harbour.')]));

    expect(await memory.searchMemory(neighbour, 'harbour')).toEqual([]);
    await memory.addMemory(neighbour, [entry('Their harbour.')]);

    expect(await textsOf(memory, 'harbour')).toEqual(['My harbour.', 'My other harbour.']);
  });

  it.each(['appName', 'userId'] as const)('takes any %s, and none collides', async (field) => {
    const memory = await open();
    const scopes = HOSTILE_NAMES.map((name) => ({ ...ADA, [field]: name }));
    for (const [index, scope] of scopes.entries())
      await memory.addMemory(scope, [entry(`Harbour ${String(index)}.`)]);

    for (const [index, scope] of scopes.entries()) {
      expect(await memory.searchMemory(scope, 'harbour')).toEqual([entry(`Harbour ${String(index)}.`)]);
    }
    expect(isPrototypeClean()).toBe(true);
  });

  it('takes names of a scope, and ids of events, that are as long as names may be', async () => {
    const memory = await open();
    const scope = { appName: longestName('app'), userId: longestName('user') };

    await memory.addEvents(scope, [new Event({ ...HEARD, id: longestName('event') })]);

    expect(await memory.searchMemory(scope, 'harbour')).toHaveLength(1);
  });

  it.each(TOO_LONG)('refuses %s in each of them, and adds nothing', async (_what, long) => {
    const memory = await open();

    for (const field of ['appName', 'userId']) {
      const scope = { ...ADA, [field]: long };
      await expect(memory.addMemory(scope, [entry('A harbour.')])).rejects.toMatchObject(REFUSAL);
      await expect(memory.addEvents(scope, [said('A harbour.')])).rejects.toMatchObject(REFUSAL);
      expect(await memory.searchMemory(scope, 'harbour')).toEqual([]);
    }
    const events = [said('A harbour.'), new Event({ ...HEARD, id: long })];
    await expect(memory.addEvents(ADA, events)).rejects.toMatchObject(REFUSAL);
    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([]);
  });
}

function entry(text: string): MemoryEntry {
  return { content: { role: 'user', parts: [{ text }] } };
}

function said(text: string, timestamp = 1_700_000_000): Event {
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    timestamp,
    content: { role: 'model', parts: [{ text }] },
  });
}

/** A session of Ada's with the events in its log. */
async function sessionWith(events: readonly Event[]): Promise<Session> {
  const sessions = new InMemorySessionService();
  let session = await sessions.createSession({ ...ADA, sessionId: 's1' });
  for (const event of events) session = await sessions.appendEvent(session, event);
  return session;
}

async function textsOf(memory: MemoryService, query: string): Promise<(string | undefined)[]> {
  const found = await memory.searchMemory(ADA, query);
  return found.map(({ content }) => content.parts?.[0]?.text).sort();
}
