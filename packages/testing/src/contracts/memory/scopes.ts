import { Event } from '@adorn/core';

import type { OpenMemory } from '../describe-memory-service.js';
import {
  HOSTILE_NAMES,
  isPrototypeClean,
  longestName,
  NOT_A_NAME,
  NOT_NAMES,
  REFUSAL,
  TOO_LONG,
} from '../hostile-names.js';
import { refusalOf } from '../refusal-of.js';
import { said } from '../sessions/conversation.js';
import { expect, it } from '../test-runner.js';
import { ADA, entry, HEARD, sessionWith, textsOf } from './memories.js';

/** Memories that people see, correct and delete. */
export function promisesOfCorrections(open: OpenMemory): void {
  it('lists the memories of a user, the last added first, by pages', async () => {
    const memory = await open();
    for (const text of ['One.', 'Two.', 'Three.']) await memory.addMemory(ADA, [entry(text)]);
    await memory.addMemory({ ...ADA, userId: 'bob' }, [entry('Four.')]);

    const all = await memory.listMemories(ADA);

    expect(all.map(({ content }) => content.parts?.[0]?.text)).toEqual(['Three.', 'Two.', 'One.']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    expect(await memory.listMemories(ADA, { limit: 1, offset: 1 })).toEqual([all[1]]);
  });

  it('corrects a memory, which is found by its new words alone, also after its session was added again', async () => {
    const memory = await open();
    const session = await sessionWith([said('The harbour is red.')]);
    await memory.addSessionToMemory(session);
    const [{ id } = { id: '' }] = await memory.listMemories(ADA);

    expect(
      await memory.correctMemory(ADA, id, { role: 'user', parts: [{ text: 'The castle is blue.' }] }),
    ).toBe(true);
    await memory.addSessionToMemory(session);

    expect(await textsOf(memory, 'harbour')).toEqual([]);
    expect(await textsOf(memory, 'castle')).toEqual(['The castle is blue.']);
    expect(await memory.listMemories(ADA)).toMatchObject([{ id, sessionId: session.id, author: 'clerk' }]);
  });

  it('deletes one memory', async () => {
    const memory = await open();
    await memory.addMemory(ADA, [entry('My harbour.'), entry('My castle.')]);
    const [last] = await memory.listMemories(ADA);

    expect(await memory.deleteMemory(ADA, last?.id ?? '')).toBe(true);
    expect(await memory.deleteMemory(ADA, last?.id ?? '')).toBe(false);

    expect(await textsOf(memory, 'harbour castle')).toEqual(['My harbour.']);
  });

  it('changes no memory of another user, and none of an id that nobody gave', async () => {
    const memory = await open();
    const bob = { ...ADA, userId: 'bob' };
    await memory.addMemory(ADA, [entry('My harbour.')]);
    const [{ id } = { id: '' }] = await memory.listMemories(ADA);

    for (const [scope, wanted] of [
      [bob, id],
      [ADA, 'no such'],
      [ADA, '1e0'],
      [ADA, ''],
    ] as const) {
      expect(await memory.correctMemory(scope, wanted, { role: 'user', parts: [{ text: 'Hers.' }] })).toBe(
        false,
      );
      expect(await memory.deleteMemory(scope, wanted)).toBe(false);
    }
    expect(await textsOf(memory, 'harbour')).toEqual(['My harbour.']);
  });

  it('deletes the memories of an application that are older than a time', async () => {
    const memory = await open();
    const now = Date.now() / 1000;
    await memory.addMemory(ADA, [
      { ...entry('Old harbour.'), timestamp: now - 3_600 },
      entry('New harbour.'),
    ]);
    await memory.addMemory({ ...ADA, appName: 'other' }, [
      { ...entry('Old harbour.'), timestamp: now - 3_600 },
    ]);

    expect(await memory.deleteOlder(ADA.appName, now - 60)).toBe(1);

    expect(await textsOf(memory, 'harbour')).toEqual(['New harbour.']);
    expect(await memory.searchMemory({ ...ADA, appName: 'other' }, 'harbour')).toHaveLength(1);
  });
}

/** Whose memories are whose. */
export function promisesOfOwners(open: OpenMemory): void {
  it('deletes all memories of a user for good, and tells how many there were', async () => {
    const memory = await open();
    const bob = { ...ADA, userId: 'bob' };
    await memory.addMemory(ADA, [entry('My harbour.'), entry('My boat.')]);
    await memory.addSessionToMemory(await sessionWith([said('My other harbour.')]));
    await memory.addMemory(bob, [entry('Their harbour.')]);

    expect(await memory.deleteUser(ADA)).toBe(3);
    expect(await memory.deleteUser(ADA)).toBe(0);

    expect(await textsOf(memory, 'harbour boat')).toEqual([]);
    expect(await memory.searchMemory(bob, 'harbour')).toHaveLength(1);
  });

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
}

/** How long names may be. */
export function promisesOfNameLengths(open: OpenMemory): void {
  it('takes names of a scope, and ids of events, that are as long as names may be', async () => {
    const memory = await open();
    const scope = { appName: longestName('app'), userId: longestName('user') };

    await memory.addEvents(scope, [new Event({ ...HEARD, id: longestName('event') })]);

    expect(await memory.searchMemory(scope, 'harbour')).toHaveLength(1);
  });

  it.each(NOT_NAMES)('refuses %s as a name of a scope, to add under and to search', async (_what, name) => {
    const memory = await open();

    for (const field of ['appName', 'userId']) {
      const scope = { ...ADA, [field]: name };
      expect(await refusalOf(memory.addMemory(scope, [entry('A harbour.')]))).toMatchObject(NOT_A_NAME);
      expect(await refusalOf(memory.addEvents(scope, [said('A harbour.')]))).toMatchObject(NOT_A_NAME);
      expect(await refusalOf(memory.searchMemory(scope, 'harbour'))).toMatchObject(NOT_A_NAME);
    }
  });

  it.each(TOO_LONG)('refuses %s in each of them, and adds nothing', async (_what, long) => {
    const memory = await open();

    for (const field of ['appName', 'userId']) {
      const scope = { ...ADA, [field]: long };
      expect(await refusalOf(memory.addMemory(scope, [entry('A harbour.')]))).toMatchObject(REFUSAL);
      expect(await refusalOf(memory.addEvents(scope, [said('A harbour.')]))).toMatchObject(REFUSAL);
      expect(await memory.searchMemory(scope, 'harbour')).toEqual([]);
    }
    const events = [said('A harbour.'), new Event({ ...HEARD, id: long })];
    expect(await refusalOf(memory.addEvents(ADA, events))).toMatchObject(REFUSAL);
    expect(await memory.searchMemory(ADA, 'harbour')).toEqual([]);
  });
}
