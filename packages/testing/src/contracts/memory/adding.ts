import { Event } from '@adorn/core';
import type { MemoryEntry } from '@adorn/core/backend';
import { expect, it } from '../test-runner.js';

import type { OpenMemory } from '../describe-memory-service.js';
import { HOSTILE_NAMES, isPrototypeClean } from '../hostile-names.js';
import { refusalOf } from '../refusal-of.js';
import { said } from '../sessions/conversation.js';
import { ADA, entry, HEARD, sessionWith, textsOf } from './memories.js';

/** Additions are complete and happen once. */
export function promisesOfAdding(open: OpenMemory): void {
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

  it('deletes what was made of a session, and of its events, or says that it cannot', async () => {
    const memory = await open();
    const added = said('The harbour of the session.');
    const alone = said('The harbour of an event.');
    await memory.addSessionToMemory(await sessionWith([added]));
    await memory.addEvents(ADA, [alone]);
    await memory.addMemory(ADA, [{ ...entry('The harbour of s1.'), sessionId: 's1' }]);
    await memory.addMemory(ADA, [{ ...entry('The harbour of s2.'), sessionId: 's2' }, entry('My harbour.')]);

    const deleted = { ...ADA, sessionId: 's1', eventIds: [added.id, alone.id] };
    const refusal = await refusalOf(memory.deleteSession(deleted));
    if (refusal.code === 'NOT_SUPPORTED') return;

    expect(refusal.code).toBe('NONE');
    expect(await textsOf(memory, 'harbour')).toEqual(['My harbour.', 'The harbour of s2.']);
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

  it('refuses what is no list of memories with their contents, and adds none of them', async () => {
    const memory = await open();
    const lists = [null, undefined, 'a harbour', 7, {}, [null], ['a harbour'], [{}]];

    for (const entries of [...lists, [entry('My harbour.'), { content: null }]])
      await expect(async () => memory.addMemory(ADA, entries as never)).rejects.toMatchObject({
        code: 'CONTENT_INVALID',
      });

    expect(await textsOf(memory, 'harbour')).toEqual([]);
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
