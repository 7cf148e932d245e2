import { expect, it } from '../test-runner.js';

import type { OpenMemory } from '../describe-memory-service.js';
import { HOSTILE_NAMES, isPrototypeClean } from '../hostile-names.js';
import { said } from '../sessions/conversation.js';
import { ADA, entry, sessionWith, textsOf } from './memories.js';

/** Whose memories are whose. */
export function promisesOfOwners(open: OpenMemory): void {
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
