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
